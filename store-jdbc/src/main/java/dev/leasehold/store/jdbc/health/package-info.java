/**
 * Whether the store is still the one it was. {@code RollbackDetector} remembers what was seen of it
 * (grants, and the chain of seals in the database), and refuses commands when the database has gone
 * back to an earlier state; {@code HealthLoop} lets it look once a second, {@code Poll} asks the
 * questions of all blocks as often, and {@code StoreClock} counts steps of the database's clock.
 *
 * <p>{@code WitnessFile} and {@code AddressFile} keep the same outside the database, so that the
 * next process refuses a restored backup, or an emptied or replaced database.
 */
@NullMarked
package dev.leasehold.store.jdbc.health;

import org.jspecify.annotations.NullMarked;
