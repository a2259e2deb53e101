package dev.leasehold.blocks.leader;

/** How a leader wants to go. */
interface Farewell {
  /** Whether the lease is passed on at once, while the work winds down. */
  boolean overlaps();
}
