package dev.leasehold.blocks.leader;

/** How a leader wants to go. */
interface StepDownRequest {
  /** Whether the lease is passed on at once, while the work winds down. */
  boolean overlaps();
}
