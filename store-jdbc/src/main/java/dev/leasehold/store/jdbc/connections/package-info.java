/**
 * Connections to a database and the statements on them. Start at {@code StoreConnection}: one
 * connection with its prepared statements; {@code ConnectionSource} lends one, from a pool or kept
 * open, and {@code Connector} opens it as a store needs it. {@code QueryBatch} sends statements
 * together, and {@code Columns} binds many items as arrays.
 *
 * <p>{@code Dialect} has what differs between databases, {@code Sql} finds a statement by its name
 * in the folders of the dialect, {@code Namespace} and {@code SearchPath} keep objects of other
 * schemas from changing its meaning, and {@code Failures} classifies an {@code SQLException} for a
 * caller.
 */
@NullMarked
package dev.leasehold.store.jdbc.connections;

import org.jspecify.annotations.NullMarked;
