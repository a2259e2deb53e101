package dev.leasehold.store.jdbc.effects;

import java.time.Instant;

/** One transaction that has changed a guarded table without a token, for maintenance. */
public record GuardPass(String table, Instant at, String who, String reason) {}
