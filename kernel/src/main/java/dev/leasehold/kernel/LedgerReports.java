package dev.leasehold.kernel;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LeaseCharter;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.LedgerEntry;
import dev.leasehold.kernel.spi.Scheduler;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Reports charters, seals and refusals to the store's ledger. No caller waits for it, and nothing
 * fails because of it. Reports are gathered and written at most once a second; those that could not
 * be written are tried again later, so an outage only delays them.
 */
final class LedgerReports {
  private static final System.Logger LOG = System.getLogger(LedgerReports.class.getName());

  /** More reports than this are dropped: the first refusals of a flood say as much as the last. */
  static final int MOST_WAITING = 1_000;

  private static final int MOST_AT_ONCE = 100;
  private static final long REST_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long REST_AFTER_FAILURE_NANOS = Duration.ofSeconds(10).toNanos();

  /** Repeated so that the audit can tell a charter in use from a former one. */
  private static final long PUBLISH_AGAIN_NANOS = Duration.ofHours(1).toNanos();

  private static final Duration LONGEST_CLOSE = Duration.ofSeconds(2);

  private final HolderContext context;

  // All guarded by the monitor of this object, which no thread holds while it calls a store.
  private final Map<Object, LedgerEntry> waiting = new LinkedHashMap<>();
  private final Map<String, Long> publishedNanos = new HashMap<>();
  private final CompletableFuture<Void> allWritten = new CompletableFuture<>();
  private Optional<Scheduler.Timer> timer = Optional.empty();
  private long restUntilNanos;
  private int atOnce = MOST_AT_ONCE;
  private boolean writing;
  private boolean failing;
  private boolean closing;

  LedgerReports(HolderContext context) {
    this.context = context;
    this.restUntilNanos = now();
  }

  /** Reports that this process applies the charter. */
  void publish(LeaseCharter charter) {
    add(new LedgerEntry.Chartered(charter, holder()));
  }

  /** Repeats, at most once an hour, that the charter is still applied. */
  void stillInForce(LeaseCharter charter) {
    synchronized (this) {
      Long last = publishedNanos.get(charter.kind());
      if (last == null || now() - last < PUBLISH_AGAIN_NANOS) {
        // Without a last time, the first report has not been written yet and is still pending.
        return;
      }
    }
    publish(charter);
  }

  /** Reports that a target was sealed, or the reason why not. */
  void sealing(Claim claim, String target, Optional<String> failure) {
    addIfWellFormed(
        () ->
            new LedgerEntry.Sealing(
                claim.key(),
                claim.token(),
                claim.who(),
                target,
                failure.map(LedgerReports::oneLine)));
  }

  /** A target has refused a claim. */
  void refused(Claim claim, String target, Admission.Refused answer) {
    addIfWellFormed(
        () -> new LedgerEntry.Refused(RequestId.random(), target, claim, answer, false));
  }

  private interface Making {
    LedgerEntry make();
  }

  /** The caller chooses the target's name; an ill-formed one must not fail the lease. */
  private void addIfWellFormed(Making making) {
    try {
      add(making.make());
    } catch (IllegalArgumentException e) {
      LOG.log(Level.WARNING, "what a target did cannot be written down: {0}", e.getMessage());
    }
  }

  private static String oneLine(String why) {
    String clean = why.replaceAll("[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cs}]+", " ");
    int max = LedgerEntry.Sealing.MAX_FAILURE;
    return clean.length() <= max ? clean : clean.substring(0, max - 1).replaceAll("\\p{Cs}$", "");
  }

  private void add(LedgerEntry entry) {
    synchronized (this) {
      Object name = nameOf(entry);
      boolean fits = waiting.size() < MOST_WAITING || entry instanceof LedgerEntry.Chartered;
      if (fits || waiting.containsKey(name)) {
        // Moved to the end, since the last report about a subject replaces earlier ones.
        waiting.remove(name);
        waiting.put(name, entry);
      }
    }
    writeSoon();
  }

  /** Identifies the subject of an entry; a later entry of the same subject replaces it. */
  private static Object nameOf(LedgerEntry entry) {
    return switch (entry) {
      case LedgerEntry.Chartered chartered -> chartered.charter().kind();
      case LedgerEntry.Sealing sealing -> List.of(sealing.key(), sealing.target());
      case LedgerEntry.Refused refused -> refused.id();
    };
  }

  private void writeSoon() {
    synchronized (this) {
      if (writing || waiting.isEmpty()) {
        return;
      }
      long rest = closing ? 0 : restUntilNanos - now();
      if (rest > 0) {
        if (timer.isEmpty()) {
          timer = Optional.of(context.environment().scheduler().schedule(this::rested, rest));
        }
        return;
      }
      writing = true;
    }
    try {
      context.callbacks().execute(this::write);
    } catch (RuntimeException e) {
      wrote(List.of(), e);
    }
  }

  private void rested() {
    synchronized (this) {
      timer = Optional.empty();
    }
    writeSoon();
  }

  private void write() {
    List<LedgerEntry> batch;
    synchronized (this) {
      batch = waiting.values().stream().limit(atOnce).toList();
      batch.forEach(entry -> waiting.remove(nameOf(entry)));
    }
    try {
      var unused =
          judged(batch)
              .thenCompose(context.store().ledger()::write)
              .whenComplete((nothing, failure) -> wrote(batch, failure));
    } catch (RuntimeException | Error e) {
      wrote(batch, e);
    }
  }

  private void wrote(List<LedgerEntry> batch, @Nullable Throwable failure) {
    boolean first;
    boolean done;
    synchronized (this) {
      writing = false;
      first = failure != null && !failing;
      failing = failure != null;
      // A distant store may be too slow for a full batch within the timeout.
      atOnce = failing ? Math.max(1, batch.size() / 2) : MOST_AT_ONCE;
      restUntilNanos = now() + (failing ? REST_AFTER_FAILURE_NANOS : REST_NANOS);
      for (LedgerEntry entry : batch) {
        if (failing) {
          waiting.putIfAbsent(nameOf(entry), entry);
        } else if (entry instanceof LedgerEntry.Chartered chartered) {
          publishedNanos.put(chartered.charter().kind(), now());
        }
      }
      done = closing && (failing || waiting.isEmpty());
    }
    if (first) {
      LOG.log(Level.INFO, "the ledger cannot be written, and is tried again later: " + failure);
    }
    if (done) {
      allWritten.complete(null);
    } else {
      writeSoon();
    }
  }

  /**
   * Marks each refusal for which the store has not issued the token of the target's mark. A store
   * issues a token before any target can see it, and never takes it back, so a correct refusal is
   * never suspected, however late it is judged.
   */
  private CompletionStage<List<LedgerEntry>> judged(List<LedgerEntry> batch) {
    Map<LeaseKey, CompletableFuture<Optional<LeaseReading>>> readings = new HashMap<>();
    for (LedgerEntry entry : batch) {
      if (entry instanceof LedgerEntry.Refused refused) {
        readings.computeIfAbsent(
            refused.claim().key(), key -> context.store().read(key).toCompletableFuture());
      }
    }
    return CompletableFuture.allOf(readings.values().toArray(CompletableFuture[]::new))
        .thenApply(
            nothing -> {
              List<LedgerEntry> judged =
                  batch.stream()
                      .map(
                          entry ->
                              entry instanceof LedgerEntry.Refused refused
                                  ? judge(refused, reading(readings, refused.claim().key()))
                                  : entry)
                      .toList();
              warn(judged);
              return judged;
            });
  }

  private static Optional<LeaseReading> reading(
      Map<LeaseKey, CompletableFuture<Optional<LeaseReading>>> readings, LeaseKey key) {
    return Objects.requireNonNull(readings.get(key)).join();
  }

  private static LedgerEntry judge(LedgerEntry.Refused refused, Optional<LeaseReading> reading) {
    boolean suspected =
        switch (refused.answer()) {
          case Admission.Stale(Token seen) ->
              reading.filter(found -> seen.isAbove(found.record().last())).isPresent();
          case Admission.Unissued unissued -> true;
        };
    return suspected ? refused.suspectingRollback() : refused;
  }

  /** Logged once for each key and target, since a refused holder may retry many times. */
  private static void warn(List<LedgerEntry> judged) {
    Map<Object, LedgerEntry.Refused> suspected = new LinkedHashMap<>();
    for (LedgerEntry entry : judged) {
      if (entry instanceof LedgerEntry.Refused refused && refused.suspectsRollback()) {
        suspected.put(List.of(refused.target(), refused.claim().key()), refused);
      }
    }
    suspected
        .values()
        .forEach(
            refused ->
                LOG.log(
                    Level.WARNING,
                    "target {0} has refused the claim of {1} on {2} for a number that the store has"
                        + " not issued ({3}): the store may have lost writes; see leasehold audit",
                    refused.target(),
                    refused.claim().who(),
                    refused.claim().key(),
                    refused.answer()));
  }

  /**
   * Writes the pending reports once, and waits briefly for that, since the caller may close the
   * store next.
   */
  void close() {
    synchronized (this) {
      closing = true;
      timer.ifPresent(Scheduler.Timer::cancel);
      timer = Optional.empty();
      if (!writing && waiting.isEmpty()) {
        return;
      }
    }
    writeSoon();
    boolean interrupted = Thread.interrupted();
    try {
      allWritten.get(LONGEST_CLOSE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      interrupted = true;
    } catch (TimeoutException | ExecutionException e) {
      LOG.log(Level.INFO, "not everything could be written to the ledger in time", e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private String holder() {
    return context.identity().info().holder();
  }

  private long now() {
    return context.environment().ticker().nanos();
  }
}
