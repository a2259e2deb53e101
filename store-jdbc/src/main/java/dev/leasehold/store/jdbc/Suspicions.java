package dev.leasehold.store.jdbc;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.kernel.RequestId;
import dev.leasehold.kernel.spi.Ledger;
import dev.leasehold.kernel.spi.LedgerEntry;
import dev.leasehold.kernel.spi.SuspectedRollbacks;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Tokens that were brought and that the store never issued: counted, and the last ones kept. For
 * other processes they are written to the ledger, one batch at a time however many come; what does
 * not fit is counted all the same, and what could not be written goes with the next.
 */
final class Suspicions {
  private static final System.Logger LOG = System.getLogger(Suspicions.class.getName());

  private final Ledger ledger;

  // All guarded by the monitor of this object.
  private final Deque<SuspectedRollbacks.Case> latest = new ArrayDeque<>();
  private final List<LedgerEntry> unwritten = new ArrayList<>();
  private long count;
  private boolean writing;

  Suspicions(Ledger ledger) {
    this.ledger = ledger;
  }

  void add(SuspectedRollbacks.Case suspicion) {
    synchronized (this) {
      count++;
      latest.addFirst(suspicion);
      if (latest.size() > SuspectedRollbacks.KEPT) {
        latest.removeLast();
      }
      if (unwritten.size() < SuspectedRollbacks.KEPT) {
        unwritten.add(entry(suspicion));
      }
    }
    write();
  }

  private static LedgerEntry entry(SuspectedRollbacks.Case suspicion) {
    return new LedgerEntry.Refused(
        RequestId.random(),
        "store",
        Claim.of(suspicion.key(), suspicion.brought()),
        new Admission.Unissued(Optional.of(suspicion.last())),
        true);
  }

  private void write() {
    List<LedgerEntry> batch;
    synchronized (this) {
      if (writing || unwritten.isEmpty()) {
        return;
      }
      writing = true;
      batch = List.copyOf(unwritten);
      unwritten.clear();
    }
    var unused =
        ledger
            .write(batch)
            .whenComplete(
                (nothing, failure) -> {
                  boolean failed = failure != null;
                  synchronized (this) {
                    writing = false;
                    if (failed) {
                      unwritten.addAll(0, batch);
                    }
                  }
                  if (failed) {
                    LOG.log(Level.DEBUG, "suspected rollbacks could not be written down", failure);
                  } else {
                    write();
                  }
                });
  }

  synchronized SuspectedRollbacks report() {
    return new SuspectedRollbacks(count, List.copyOf(latest));
  }
}
