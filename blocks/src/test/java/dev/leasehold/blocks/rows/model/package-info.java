/** The rules of row leases, on values alone. */
@NullMarked
package dev.leasehold.blocks.rows.model;

import org.jspecify.annotations.NullMarked;
