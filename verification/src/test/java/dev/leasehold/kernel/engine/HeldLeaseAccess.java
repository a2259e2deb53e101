package dev.leasehold.kernel.engine;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.LossReason;
import java.util.OptionalLong;

/** A lease at the moment 0 of its ticker, trusted until {@link #FIRST_TRUST}. */
public final class HeldLeaseAccess {
  public static final long FIRST_TRUST = 100;

  // Created beforehand, because Lincheck would spend its effort on the loops that check texts.
  private static final HeldLease.Claimed CLAIMED =
      new HeldLease.Claimed(
          LeaseKey.of("lock", "a"),
          Token.of(1, 1),
          Instance.of("0".repeat(32)),
          new Timing(300, 100, 30, 30, Timing.WITHOUT_END),
          1,
          OptionalLong.empty());
  private static final LossReason EXPIRED = new LossReason.Expired();

  private final HeldLease lease = new HeldLease(CLAIMED, 0, FIRST_TRUST, new Deaf());

  /** Called in turns, like losing and giving up: by one thread at a time. */
  public void renew(long trustUntil) {
    lease.trustUntil(trustUntil);
  }

  public void lose() {
    lease.lose(EXPIRED);
  }

  public void giveUp() {
    lease.giveUp();
  }

  public long trust() {
    return lease.trustNanos(0);
  }

  public boolean isOver() {
    return lease.over().isPresent();
  }

  public void progressed() {
    lease.progressed();
  }

  public long progress() {
    return lease.progress();
  }

  private static final class Deaf implements HeldLease.Listener {
    @Override
    public void ending() {}

    @Override
    public void lost(LossReason reason) {}
  }
}
