package dev.leasehold.store.jdbc.ledger;

import dev.leasehold.kernel.spi.Ledger;
import dev.leasehold.kernel.spi.LedgerEntry;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The store's own reports for the audit. They are written in the background, one batch at a time:
 * reports beyond the limit are dropped, and those that could not be written go with the next batch,
 * or when a caller asks for a write.
 */
public final class Reports implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Reports.class.getName());
  private static final int MOST_WAITING = 100;
  private static final long CLOSING_SECONDS = 3;

  private final Ledger ledger;

  // Both guarded by the monitor of this object.
  private final List<LedgerEntry> unwritten = new ArrayList<>();
  private CompletableFuture<Boolean> underWay = CompletableFuture.completedFuture(true);

  public Reports(Ledger ledger) {
    this.ledger = ledger;
  }

  public void add(LedgerEntry entry) {
    synchronized (this) {
      if (unwritten.size() < MOST_WAITING) {
        unwritten.add(entry);
      }
    }
    var unused = write();
  }

  /**
   * Writes the pending reports.
   *
   * @return completes when this attempt, or the one in progress, has ended; true if it succeeded
   */
  public CompletableFuture<Boolean> write() {
    List<LedgerEntry> batch;
    CompletableFuture<Boolean> attempt = new CompletableFuture<>();
    synchronized (this) {
      if (!underWay.isDone() || unwritten.isEmpty()) {
        return underWay;
      }
      underWay = attempt;
      batch = List.copyOf(unwritten);
      unwritten.clear();
    }
    var unused =
        ledger.write(batch).whenComplete((nothing, failure) -> end(attempt, batch, failure));
    return attempt;
  }

  private void end(
      CompletableFuture<Boolean> attempt, List<LedgerEntry> batch, @Nullable Throwable failure) {
    if (failure == null) {
      attempt.complete(true);
      var unused = write();
      return;
    }
    LOG.log(Level.DEBUG, "reports for the audit could not be written", failure);
    synchronized (this) {
      unwritten.addAll(0, batch);
    }
    attempt.complete(false);
  }

  /** Makes a last attempt, after the one that may be in progress, and waits only briefly. */
  @Override
  public void close() {
    boolean unused =
        write()
            .thenCompose(ended -> write())
            .completeOnTimeout(false, CLOSING_SECONDS, TimeUnit.SECONDS)
            .join();
  }
}
