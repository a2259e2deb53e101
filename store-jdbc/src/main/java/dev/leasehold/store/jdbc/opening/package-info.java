/**
 * Checks and prepares a database before a store is opened there: its settings ({@code Opening}),
 * its pool ({@code PoolTrial}) and its schema, which {@code Migrations} creates and upgrades in
 * numbered steps. {@code Examiner} reads the same for an operator, without opening a store.
 */
@NullMarked
package dev.leasehold.store.jdbc.opening;

import org.jspecify.annotations.NullMarked;
