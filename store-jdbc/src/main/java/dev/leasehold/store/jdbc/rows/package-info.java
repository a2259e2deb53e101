/**
 * What the rows of every block have in common: named rows that commands change, each under a claim
 * or without one. A block extends {@code RowTable} to describe its rows, {@code LockedRows} to
 * lock, decide and write them in a transaction, and {@code RowBatch} if a statement settles many
 * usual commands. {@code RowStore} opens them beside the leases, and takes the block's commands.
 */
@NullMarked
package dev.leasehold.store.jdbc.rows;

import org.jspecify.annotations.NullMarked;
