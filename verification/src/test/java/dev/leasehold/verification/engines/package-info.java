/**
 * Real databases, and what can be done to them: servers of the test's own that are killed, paused,
 * copied and restored; a proxy that loses replies; a clock that is stepped.
 *
 * <p>What a store wrote is read from the database itself. A {@link
 * dev.leasehold.verification.engines.Journal} has triggers on the tables of leases, which write
 * down each change in the transaction that makes it and under the row's lock, so that the order of
 * the entries of a key is the order of its commits, whoever was killed. Targets ({@link
 * dev.leasehold.verification.engines.Ledger}) write their own log in the same way. Together with
 * what clients wrote down that is a history for {@link dev.leasehold.testkit.history}.
 */
@NullMarked
package dev.leasehold.verification.engines;

import org.jspecify.annotations.NullMarked;
