package dev.leasehold.kernel.engine;

import dev.leasehold.kernel.model.LossReason;

/** Receives what the keeper finds out about leases. */
interface KeeperListener {
  /** Before the lease itself is told. */
  void lost(HeldLease lease, LossReason reason);

  /** A renewal came through after some that failed. */
  default void renewedLate(HeldLease lease, int failedAttempts) {}
}
