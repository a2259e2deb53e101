/**
 * Sessions: one lease for each process, under which all that it works on stands, so that one
 * renewal keeps it all. {@link dev.leasehold.blocks.sessions.Session} says how long the process may
 * trust that it is still taken for alive, and when and why it is not.
 */
@NullMarked
package dev.leasehold.blocks.sessions;

import org.jspecify.annotations.NullMarked;
