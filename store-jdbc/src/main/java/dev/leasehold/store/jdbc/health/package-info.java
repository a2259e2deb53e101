/**
 * Whether the store is still the one it was. {@code Sentry} remembers what was seen of it (grants,
 * and the chain of seals in the database), and refuses commands when the database has gone back to
 * an earlier state; {@code Caretaker} lets it look once a second, and {@code StoreClock} counts
 * steps of the database's clock.
 *
 * <p>{@code WitnessFile} and {@code AddressFile} keep the same outside the database, for the next
 * process: a restored backup, or an emptied or replaced database, is refused by them.
 */
@NullMarked
package dev.leasehold.store.jdbc.health;

import org.jspecify.annotations.NullMarked;
