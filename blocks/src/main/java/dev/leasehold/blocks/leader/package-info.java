/**
 * One in charge among replicas, for a term: an election that says who leads and under which token,
 * and loops that run only where it leads.
 */
@NullMarked
package dev.leasehold.blocks.leader;

import org.jspecify.annotations.NullMarked;
