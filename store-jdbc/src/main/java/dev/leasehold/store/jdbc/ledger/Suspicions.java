package dev.leasehold.store.jdbc.ledger;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.LedgerEntry;
import dev.leasehold.kernel.spi.SuspectedRollbacks;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Tokens that callers brought and the store never issued: counted, and the last ones kept. They are
 * also written to the ledger, for other processes.
 */
public final class Suspicions {
  private final Reports reports;

  // Both guarded by the monitor of this object.
  private final Deque<SuspectedRollbacks.Case> latest = new ArrayDeque<>();
  private long count;

  public Suspicions(Reports reports) {
    this.reports = reports;
  }

  /** A case from a command, in which the store is the target and the claim has no holder's name. */
  public void add(SuspectedRollbacks.Case suspicion) {
    add(suspicion, entry(suspicion));
  }

  public void add(SuspectedRollbacks.Case suspicion, LedgerEntry report) {
    synchronized (this) {
      count++;
      latest.addFirst(suspicion);
      if (latest.size() > SuspectedRollbacks.KEPT) {
        latest.removeLast();
      }
    }
    reports.add(report);
  }

  private static LedgerEntry entry(SuspectedRollbacks.Case suspicion) {
    return new LedgerEntry.Refused(
        RequestId.random(),
        "store",
        Claim.of(suspicion.key(), suspicion.brought()),
        new Admission.Unissued(Optional.of(suspicion.last())),
        true);
  }

  public synchronized SuspectedRollbacks report() {
    return new SuspectedRollbacks(count, List.copyOf(latest));
  }
}
