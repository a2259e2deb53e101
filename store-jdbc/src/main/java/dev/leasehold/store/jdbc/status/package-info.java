/**
 * What a store and its database say of themselves, as values: how the schema stands, what the
 * database is like, whether a witness watches it, how its clock stepped, which backends have a row
 * locked, and {@link dev.leasehold.store.jdbc.status.StoreUnusableException} with the sentence that
 * says what to do.
 *
 * <p>Users see these types. Every other room may use them, so this package uses none.
 */
@NullMarked
package dev.leasehold.store.jdbc.status;

import org.jspecify.annotations.NullMarked;
