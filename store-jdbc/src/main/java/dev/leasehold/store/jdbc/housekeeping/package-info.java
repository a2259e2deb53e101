/**
 * Removal of rows that no command can need again, in one process at a time. A {@code Chore} is a
 * table that is tidied page by page; {@code Housekeeping} runs one page in one short transaction,
 * {@code HousekeepingLoop} runs rounds of it in the background under the {@code HousekeepingLease},
 * and {@code Sweep} goes through one table when an operator asks. {@code Paging} finds the pages,
 * {@code Purging} is the chore of rows that users name, {@code DeadRows} purges them under the
 * floors of their buckets, and {@code Trimming} forgets what was remembered for a time.
 *
 * <p>The chores themselves are in the packages of their rows.
 */
@NullMarked
package dev.leasehold.store.jdbc.housekeeping;

import org.jspecify.annotations.NullMarked;
