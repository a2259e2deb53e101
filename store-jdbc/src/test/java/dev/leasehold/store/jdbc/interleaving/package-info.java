/**
 * Deterministic interleavings of sessions on a real PostgreSQL.
 *
 * <p>Each session is an {@link dev.leasehold.store.jdbc.interleaving.Actor} with a thread of its
 * own, and its connection is a {@link dev.leasehold.store.jdbc.interleaving.Gate}: it announces
 * every statement, commit and rollback before it is sent, and waits for permission. An {@link
 * dev.leasehold.store.jdbc.interleaving.Interleaving} gives permission to one actor at a time. When
 * the permitted statement does not return, the server's own lock table shows whether it waits for a
 * lock, and for which backend; then another actor continues, until the lock is released and the
 * first actor returns. No decision depends on how long a step took.
 *
 * <p>An {@link dev.leasehold.store.jdbc.interleaving.Explorer} runs a scene again and again, each
 * time in another order, until there is none left within its bounds. An order is written as a
 * string: a letter for each step of the actor with that name, in lower case where the server was
 * told to end what that actor waits for, as a lock timeout or the victim of a deadlock.
 */
@NullMarked
package dev.leasehold.store.jdbc.interleaving;

import org.jspecify.annotations.NullMarked;
