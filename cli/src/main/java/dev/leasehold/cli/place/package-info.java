/**
 * Where leases are: in a store that is opened directly, or behind a server. A {@link
 * dev.leasehold.cli.place.LeasePlace} opens the store or the connection, and gives the variables by
 * which a process that a command starts finds it again.
 */
@NullMarked
package dev.leasehold.cli.place;

import org.jspecify.annotations.NullMarked;
