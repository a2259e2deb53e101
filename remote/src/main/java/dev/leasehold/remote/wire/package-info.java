/**
 * The JSON of servers and clients in one place, so that each side reads what the other writes.
 *
 * <p>{@link dev.leasehold.remote.wire.Json} reads bytes into {@link
 * dev.leasehold.remote.wire.Members} and writes through {@link dev.leasehold.remote.wire.JsonOut}.
 * These are used by {@link dev.leasehold.remote.wire.Commands}, {@link
 * dev.leasehold.remote.wire.Outcomes}, {@link dev.leasehold.remote.wire.Readings}, {@link
 * dev.leasehold.remote.wire.Changes} and {@link dev.leasehold.remote.wire.Problem}; for objects,
 * {@link dev.leasehold.remote.wire.ObjectCommands}, {@link
 * dev.leasehold.remote.wire.ObjectOutcomes} and {@link dev.leasehold.remote.wire.ObjectReadings}.
 * What commands of every block have in common is written once: {@code Results} of a batch, {@code
 * BlockOutcomes} and {@link dev.leasehold.remote.wire.Claims}.
 *
 * <p>Requests are read strictly: an unknown member is refused by name, because ignoring a misspelt
 * {@code waitMs} would silently skip the wait. Answers are read leniently: a newer server may send
 * more members. Numbers are integers of at most 64 bits, and JSON {@code null} means an absent
 * member.
 */
@NullMarked
package dev.leasehold.remote.wire;

import org.jspecify.annotations.NullMarked;
