package dev.leasehold.blocks.leader;

/** A caller's request that the leader steps down. */
interface StepDownRequest {
  /** Whether the heir gets the lease at once, while the leader's work still stops. */
  boolean overlaps();
}
