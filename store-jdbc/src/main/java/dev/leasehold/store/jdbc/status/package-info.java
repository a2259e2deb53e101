/**
 * The state of a store and its database, as values: the schema, the database's settings, the
 * witness, steps of its clock, backends that have a row locked, and {@link
 * dev.leasehold.store.jdbc.status.StoreUnusableException}, whose message says what to do.
 *
 * <p>Users see these types. Every other room may use them, so this package uses none.
 */
@NullMarked
package dev.leasehold.store.jdbc.status;

import org.jspecify.annotations.NullMarked;
