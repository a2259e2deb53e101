package dev.leasehold.store.jdbc.effects;

/**
 * A way around a guard that is open now.
 *
 * @param what a sentence for people: what is open, and what to do
 */
public record GuardHole(String table, String what) {}
