/** Stores of leased rows in memory. */
@NullMarked
package dev.leasehold.testkit.rows;

import org.jspecify.annotations.NullMarked;
