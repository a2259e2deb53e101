package dev.leasehold.store.jdbc;

import dev.leasehold.kernel.spi.Ledger;
import dev.leasehold.kernel.spi.LedgerEntry;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;

/**
 * What a store itself has to say for the audit. It is written in the background, one batch at a
 * time however much comes: what does not fit is left out, and what could not be written goes with
 * the next.
 */
final class Reports {
  private static final System.Logger LOG = System.getLogger(Reports.class.getName());
  private static final int MOST_WAITING = 100;

  private final Ledger ledger;

  // Both guarded by the monitor of this object.
  private final List<LedgerEntry> unwritten = new ArrayList<>();
  private boolean writing;

  Reports(Ledger ledger) {
    this.ledger = ledger;
  }

  void add(LedgerEntry entry) {
    synchronized (this) {
      if (unwritten.size() < MOST_WAITING) {
        unwritten.add(entry);
      }
    }
    write();
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
                    LOG.log(Level.DEBUG, "reports for the audit could not be written", failure);
                  } else {
                    write();
                  }
                });
  }
}
