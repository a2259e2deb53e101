/** The values of row leases: who holds a row, under which session, and for how long. */
@NullMarked
package dev.leasehold.blocks.rows.model;

import org.jspecify.annotations.NullMarked;
