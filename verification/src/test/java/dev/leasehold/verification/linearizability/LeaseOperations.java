package dev.leasehold.verification.linearizability;

import dev.leasehold.kernel.engine.HeldLeaseAccess;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/** A lease that turns change, one at a time, while any thread asks about it and moves its work. */
@Param(name = "until", gen = IntGen.class, conf = "150:250")
public class LeaseOperations {
  private final HeldLeaseAccess lease = new HeldLeaseAccess();

  /** Hears the answer to a renewal. */
  @Operation(nonParallelGroup = "turns")
  public void renew(@Param(name = "until") int until) {
    lease.renew(until);
  }

  /** Loses the lease. */
  @Operation(nonParallelGroup = "turns")
  public void lose() {
    lease.lose();
  }

  /** Gives the lease up. */
  @Operation(nonParallelGroup = "turns")
  public void giveUp() {
    lease.giveUp();
  }

  /** How far it may be trusted. */
  @Operation
  public long trust() {
    return lease.trust();
  }

  /** Whether it is known why it is over. */
  @Operation
  public boolean over() {
    return lease.isOver();
  }

  /** Moves the work. */
  @Operation
  public void progressed() {
    lease.progressed();
  }

  /** How often the work has moved. */
  @Operation
  public long progress() {
    return lease.progress();
  }
}
