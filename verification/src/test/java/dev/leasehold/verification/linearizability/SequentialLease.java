package dev.leasehold.verification.linearizability;

import dev.leasehold.kernel.engine.HeldLeaseAccess;

/** What a lease answers in sequential use: an ended lease stays ended. */
public final class SequentialLease {
  private long trust = HeldLeaseAccess.FIRST_TRUST;
  private boolean over;
  private long progress;

  public void renew(int until) {
    trust = over ? 0 : Math.max(trust, until);
  }

  public void lose() {
    over = true;
    trust = 0;
  }

  public void giveUp() {
    lose();
  }

  public long trust() {
    return trust;
  }

  public boolean over() {
    return over;
  }

  public void progressed() {
    progress++;
  }

  public long progress() {
    return progress;
  }
}
