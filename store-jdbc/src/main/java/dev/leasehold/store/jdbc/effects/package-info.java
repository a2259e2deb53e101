/**
 * Fencing of other data in the database of the leases. {@link
 * dev.leasehold.store.jdbc.effects.AtEffect} makes a change in one transaction with the check of
 * its grant; {@link dev.leasehold.store.jdbc.effects.Guards} installs triggers on tables, which
 * refuse every other change.
 *
 * <p>Users see these two and their values. {@code Effects} and {@code CurrentRow} are for the other
 * packages of the store.
 */
@NullMarked
package dev.leasehold.store.jdbc.effects;

import org.jspecify.annotations.NullMarked;
