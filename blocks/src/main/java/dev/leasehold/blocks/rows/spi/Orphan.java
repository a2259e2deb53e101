package dev.leasehold.blocks.rows.spi;

/** An anchor whose session is not alive, and what has become of that. */
public record Orphan(AnchorRecord anchor, SessionState session) {}
