/**
 * What must be true of a database before a store is opened there: its settings ({@code Opening}),
 * its pool ({@code PoolTrial}) and its schema, which {@code Migrations} creates and upgrades in
 * numbered steps. {@code Examiner} looks at the same for an operator, without a store.
 */
@NullMarked
package dev.leasehold.store.jdbc.opening;

import org.jspecify.annotations.NullMarked;
