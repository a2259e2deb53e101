/**
 * Connections to a database and the statements on them. Start at {@code Session}: one connection
 * with its prepared statements; {@code Sessions} lends one, from a pool or kept open, and {@code
 * Connector} opens it as a store needs it.
 *
 * <p>{@code Dialect} says what differs between databases, {@code Sql} finds a statement by its name
 * in the folders of the dialect, {@code Namespace} and {@code SearchPath} keep the objects of other
 * schemas out of it, and {@code Failures} tells what an {@code SQLException} means for a caller.
 */
@NullMarked
package dev.leasehold.store.jdbc.connections;

import org.jspecify.annotations.NullMarked;
