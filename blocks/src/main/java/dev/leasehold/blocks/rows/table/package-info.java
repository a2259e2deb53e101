/**
 * The rows that workers behind a server hold, as the server keeps them in memory, so that it
 * answers a heartbeat without its store and finds the worker that is silent.
 *
 * <p>Start at {@link dev.leasehold.blocks.rows.table.LeaseTable}. It is a state machine for one
 * thread at a time: it has no clock, lock or thread, its callers bring the time of a monotonic
 * clock, and the same calls give the same answers. It decides nothing about a row: what it knows,
 * the store has told; what it finds expired, the store frees. The terms:
 *
 * <ul>
 *   <li><b>place</b>: which row it is, such as the id of a task. One table per block keeps the
 *       place as small as its id
 *   <li><b>deadline</b>: when the row may be taken from its worker, which is never before its
 *       worker stops trusting its hold
 *   <li><b>reaping</b>: the deadline has passed, {@code expired} has returned the entry, and the
 *       caller asks the store to free the row. Until the caller settles that, a heartbeat of the
 *       worker waits, since neither answer would be true
 * </ul>
 *
 * <pre>
 * in state   enter, same token   remove         expired   settle: freed   settle: still held
 * (none)     live                (none)
 * live       live                (none)         reaping
 * reaping    reaping             dropped                  (none)          live
 * dropped    reaping             dropped                  (none)          (none)
 * </pre>
 *
 * <p>A newer token makes any of these live, and an older one changes none.
 *
 * <p>A row that is removed while it is reaped is <em>dropped</em>: its statement is still on its
 * way to the store. If the row comes back under the same token, which is possible when it was moved
 * away and back, that statement may yet free it; so it comes back as reaping, and its worker waits.
 * No statement for an old token can free a row that has a newer one, so then nothing waits.
 *
 * <p>Inside, {@code Slots} has the fields of the entries, {@code PlaceIndex} finds an entry by its
 * place, and {@code DeadlineWheel} finds those whose deadline has passed. All three are arrays of
 * numbers, in pages that come and go one by one.
 */
@NullMarked
package dev.leasehold.blocks.rows.table;

import org.jspecify.annotations.NullMarked;
