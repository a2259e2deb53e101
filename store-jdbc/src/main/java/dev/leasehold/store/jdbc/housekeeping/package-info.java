/**
 * Removal of rows that no command can need again, in one process at a time. A {@code Chore} is a
 * table that is tidied page by page; {@code Housekeeping} runs one page in one short transaction,
 * {@code Tidier} runs rounds of it in the background under the {@code HousekeepingLease}, and
 * {@code Sweep} goes through one table when an operator asks.
 *
 * <p>The chores themselves stand in the rooms of their rows.
 */
@NullMarked
package dev.leasehold.store.jdbc.housekeeping;

import org.jspecify.annotations.NullMarked;
