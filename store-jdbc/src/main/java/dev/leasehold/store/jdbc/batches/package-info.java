/**
 * How batches of commands reach the database, for every block.
 *
 * <p>A block describes its rows by a {@code Table}, and an {@code Engine} carries out the commands
 * on it. On a server, a {@code TableBatch} runs the steps of the block: array statements, rules,
 * one by one. {@code ParkedBatches} keeps the batches whose rows other transactions have locked,
 * {@code LockedPlaces} finds these transactions, and {@code WaitingUrgent} waits for the rows of
 * urgent commands. On a file, {@code SqliteEngine} puts the pending commands of all tables into one
 * transaction.
 *
 * <p>{@code Lane} bounds threads and queues, {@code Attempts} repeats a transaction after
 * serialization failures and lost connections, and {@code Backoff} spaces the repeats. Nothing here
 * depends on leases or objects.
 */
@NullMarked
package dev.leasehold.store.jdbc.batches;

import org.jspecify.annotations.NullMarked;
