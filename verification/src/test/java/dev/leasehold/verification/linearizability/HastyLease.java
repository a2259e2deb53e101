package dev.leasehold.verification.linearizability;

import dev.leasehold.kernel.engine.HeldLeaseAccess;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/** Canary: everything is volatile, and everything takes two steps. */
@Param(name = "until", gen = IntGen.class, conf = "150:250")
public final class HastyLease {
  private volatile long trustUntil = HeldLeaseAccess.FIRST_TRUST;
  private volatile boolean over;
  private volatile long progress;

  /** Takes whatever answer comes, even after the end. */
  @Operation(nonParallelGroup = "turns")
  public void renew(@Param(name = "until") int until) {
    trustUntil = until;
  }

  /** Loses the lease. */
  @Operation(nonParallelGroup = "turns")
  public void lose() {
    trustUntil = 0;
    over = true;
  }

  /** Gives the lease up. */
  @Operation(nonParallelGroup = "turns")
  public void giveUp() {
    lose();
  }

  /** Checks whether it is over, and a moment later how far it may be trusted. */
  @Operation
  public long trust() {
    return over ? 0 : trustUntil;
  }

  /** Whether it is known why it is over. */
  @Operation
  public boolean over() {
    return over;
  }

  /** Moves the work. */
  @Operation
  public void progressed() {
    long before = progress;
    progress = before + 1;
  }

  /** How often the work has moved. */
  @Operation
  public long progress() {
    return progress;
  }
}
