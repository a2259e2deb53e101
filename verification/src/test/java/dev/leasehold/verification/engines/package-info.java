/**
 * Real databases under faults: a test's own servers that are killed, paused, copied and restored; a
 * proxy that loses replies; a clock that is stepped.
 *
 * <p>What a store wrote is read from the database itself. A {@link
 * dev.leasehold.verification.engines.Journal} has triggers on the tables of leases, which record
 * each change in its own transaction and under the row's lock, so that the order of a key's entries
 * is the order of its commits, even if processes were killed. Targets ({@link
 * dev.leasehold.verification.engines.Ledger}) write their own log in the same way. Together with
 * the clients' records, that is a history for {@link dev.leasehold.testkit.history}.
 */
@NullMarked
package dev.leasehold.verification.engines;

import org.jspecify.annotations.NullMarked;
