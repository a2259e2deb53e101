package dev.leasehold.server.http;

import dev.leasehold.kernel.spi.Ledger;
import dev.leasehold.kernel.spi.LedgerEntry;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Writes refusals into the ledger for the audit: one call at a time; refusals that come meanwhile
 * share the next call. Its queue holds as many as the ledger would keep, and refusals beyond them
 * are dropped.
 */
final class RefusalLog {
  private static final System.Logger LOG = System.getLogger(RefusalLog.class.getName());

  static final int MOST_WAITING = Ledger.REFUSALS_KEPT;
  static final int MOST_AT_ONCE = 100;

  private final Ledger ledger;

  /** Guarded by the monitor of this object. */
  private final Deque<Waiting> waiting = new ArrayDeque<>();

  /** Guarded by the monitor of this object. */
  private boolean writing;

  private record Waiting(LedgerEntry.Refused refusal, CompletableFuture<Boolean> written) {}

  RefusalLog(Ledger ledger) {
    this.ledger = ledger;
  }

  /** Completes with whether the refusal was written down. */
  CompletionStage<Boolean> write(LedgerEntry.Refused refusal) {
    Waiting one = new Waiting(refusal, new CompletableFuture<>());
    synchronized (this) {
      if (waiting.size() >= MOST_WAITING) {
        return CompletableFuture.completedFuture(false);
      }
      waiting.add(one);
    }
    writeNext();
    return one.written();
  }

  private void writeNext() {
    List<Waiting> batch = new ArrayList<>();
    synchronized (this) {
      if (writing || waiting.isEmpty()) {
        return;
      }
      writing = true;
      while (batch.size() < MOST_AT_ONCE && !waiting.isEmpty()) {
        batch.add(waiting.remove());
      }
    }
    var unused =
        asked(batch.stream().<LedgerEntry>map(Waiting::refusal).toList())
            .whenComplete((nothing, failure) -> ended(batch, failure == null));
  }

  /** A ledger that throws counts as failed. */
  private CompletionStage<Void> asked(List<LedgerEntry> entries) {
    CompletionStage<Void> answer;
    try {
      answer = ledger.write(entries);
    } catch (RuntimeException e) {
      answer = CompletableFuture.failedFuture(e);
    }
    return answer.whenComplete(
        (nothing, failure) -> {
          if (failure != null) {
            LOG.log(Level.INFO, entries.size() + " refusals could not be written down", failure);
          }
        });
  }

  private void ended(List<Waiting> batch, boolean written) {
    synchronized (this) {
      writing = false;
    }
    batch.forEach(one -> one.written().complete(written));
    writeNext();
  }
}
