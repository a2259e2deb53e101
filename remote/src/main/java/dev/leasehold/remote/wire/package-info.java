/**
 * The JSON that servers and clients speak, in one place, so that both sides read what the other
 * writes.
 *
 * <p>{@link dev.leasehold.remote.wire.Json} reads bytes into {@link
 * dev.leasehold.remote.wire.Members} and writes through {@link dev.leasehold.remote.wire.JsonOut}.
 * On these stand {@link dev.leasehold.remote.wire.Commands}, {@link
 * dev.leasehold.remote.wire.Outcomes}, {@link dev.leasehold.remote.wire.Readings}, {@link
 * dev.leasehold.remote.wire.Changes} and {@link dev.leasehold.remote.wire.Problem}; for objects,
 * {@link dev.leasehold.remote.wire.ObjectCommands}, {@link
 * dev.leasehold.remote.wire.ObjectOutcomes}, {@link dev.leasehold.remote.wire.ObjectReadings} and
 * {@link dev.leasehold.remote.wire.ObjectChanges}.
 *
 * <p>Requests are read strictly: a member that is not known is refused by name, since a misspelt
 * {@code waitMs} that is passed over would be a wait that never happens. Answers are read
 * leniently: a newer server may say more. Numbers are integers of 64 bits at the most, and JSON
 * {@code null} is a member that is absent.
 */
@NullMarked
package dev.leasehold.remote.wire;

import org.jspecify.annotations.NullMarked;
