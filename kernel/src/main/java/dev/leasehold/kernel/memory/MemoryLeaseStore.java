package dev.leasehold.kernel.memory;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.fence.TokenExhaustedException;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.rules.Decision;
import dev.leasehold.kernel.rules.IncarnationRules;
import dev.leasehold.kernel.rules.KeyState;
import dev.leasehold.kernel.rules.LeaseRules;
import dev.leasehold.kernel.rules.StoreIncarnation;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.kernel.spi.ChangeFeed;
import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeasePage;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Ledger;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.ListQuery;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.kernel.spi.PurgeQuery;
import dev.leasehold.kernel.spi.PurgeReport;
import dev.leasehold.kernel.spi.SuspectedRollbacks;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Leases in memory: the rules behind a lock. It lives as long as its process. It applies the rules
 * exactly, so it serves tests, simulations and single processes, and every other store is compared
 * with it.
 *
 * <p>Every call is answered before it returns. Listeners are told of changes on the caller's
 * thread, after it has released the lock.
 */
public final class MemoryLeaseStore implements LeaseStore {
  private static final String CLOSED = "the memory store is closed, and its leases went with it";

  private final InstantSource clock;
  private final Limits limits;
  private final ChangeFeed<LeaseChange> feed = new ChangeFeed<>(LeaseChange::isUnder);
  private final MemoryLedger ledger;

  // All guarded by the monitor of this store.
  private final NavigableMap<LeaseKey, Entry> entries = new TreeMap<>();
  private final Token[] floors = new Token[Buckets.COUNT];
  private final Deque<SuspectedRollbacks.Case> latestSuspicions = new ArrayDeque<>();
  private long suspicions;
  private StoreIncarnation storeIncarnation;
  private boolean closed;

  private static final class Entry {
    LeaseRecord record;
    final KeyMemory memory = new KeyMemory();

    Entry(LeaseRecord record) {
      this.record = record;
    }
  }

  /** A store with its own clock and bounds. */
  public MemoryLeaseStore(InstantSource clock, Limits limits) {
    this.clock = clock;
    this.limits = limits;
    this.ledger = new MemoryLedger(clock);
    this.storeIncarnation = StoreIncarnation.first(clock.millis());
    Arrays.fill(floors, storeIncarnation.floor());
  }

  @Override
  public CompletionStage<List<Outcome>> apply(List<Command> batch) {
    List<Outcome> outcomes = new ArrayList<>(batch.size());
    List<LeaseChange> changes = new ArrayList<>();
    synchronized (this) {
      if (closed) {
        return closedStore();
      }
      for (Command command : batch) {
        outcomes.add(carryOut(command, changes));
      }
    }
    feed.tell(changes);
    return CompletableFuture.completedFuture(List.copyOf(outcomes));
  }

  private Outcome carryOut(Command command, List<LeaseChange> changes) {
    try {
      Decision decision = decide(command);
      decision.unissued().ifPresent(token -> suspect(command.key(), token));
      write(command.key(), decision.effect(), changes);
      decision.followUp().ifPresent(next -> carryOut(next, changes));
      return decision.outcome();
    } catch (IllFormedException | TokenExhaustedException e) {
      return new Outcome.Rejected(String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      // A defect in the command or in the rules must not fail the other commands of the batch.
      return new Outcome.Failed(Certainty.NOT_APPLIED, e.toString());
    }
  }

  private void suspect(LeaseKey key, Token brought) {
    suspicions++;
    Entry entry = entries.get(key);
    Token last = entry == null ? floors[Buckets.of(key)] : entry.record.last();
    latestSuspicions.addFirst(new SuspectedRollbacks.Case(key, brought, last, clock.millis()));
    if (latestSuspicions.size() > SuspectedRollbacks.KEPT) {
      latestSuspicions.removeLast();
    }
  }

  private Decision decide(Command command) {
    LeaseKey key = command.key();
    long now = clock.millis();
    Entry entry = entries.get(key);
    if (entry == null) {
      entry = new Entry(LeaseRecord.blank(key, floors[Buckets.of(key)]));
    }
    entry.memory.forget(now, limits);
    return LeaseRules.decide(
        new KeyState(entry.record, storeIncarnation, entry.memory), command, now, limits);
  }

  private void write(LeaseKey key, Decision.Effect effect, List<LeaseChange> changes) {
    switch (effect) {
      case Decision.Unchanged unchanged -> {}
      case Decision.Put put -> {
        Entry entry = entries.computeIfAbsent(key, k -> new Entry(put.record()));
        entry.record = put.record();
        put.remembered().ifPresent(entry.memory::remember);
        put.ending().ifPresent(ending -> entry.memory.remember(ending, limits));
        changes.addAll(put.changes());
      }
      case Decision.Delete delete -> {
        int bucket = Buckets.of(key);
        if (delete.floor().isAbove(floors[bucket])) {
          floors[bucket] = delete.floor();
        }
        entries.remove(key);
      }
    }
  }

  /** The state of the leases during a change. */
  public interface Moment {
    /** Whether the claim's grant is current. */
    Admission admit(Claim claim);

    /** The record of a key, if it has one. */
    Optional<LeaseRecord> record(LeaseKey key);

    int incarnation();

    long nowMillis();
  }

  /**
   * Runs a change and the checks of its tokens as one step: no command runs in between. For blocks
   * that keep records of their own beside the leases.
   */
  public synchronized <T> T atEffect(Function<Moment, T> change) {
    if (closed) {
      throw new IllegalStateException(CLOSED);
    }
    return change.apply(
        new Moment() {
          @Override
          public Admission admit(Claim claim) {
            return admitNow(claim);
          }

          @Override
          public Optional<LeaseRecord> record(LeaseKey key) {
            return Optional.ofNullable(entries.get(key)).map(entry -> entry.record);
          }

          @Override
          public int incarnation() {
            return storeIncarnation.incarnation();
          }

          @Override
          public long nowMillis() {
            return clock.millis();
          }
        });
  }

  private Admission admitNow(Claim claim) {
    Entry entry = entries.get(claim.key());
    LeaseRecord record =
        entry == null
            ? LeaseRecord.blank(claim.key(), floors[Buckets.of(claim.key())])
            : LeaseRules.inIncarnation(entry.record, storeIncarnation);
    Token last = record.last();
    if (claim.token().isAbove(last)) {
      return new Admission.Unissued(last.counter() == 0 ? Optional.empty() : Optional.of(last));
    }
    boolean issuedToAnother =
        record
            .grant()
            .filter(grant -> grant.token().equals(claim.token()))
            .filter(grant -> !claim.isOfInstance(grant.instanceId().text()))
            .isPresent();
    if (issuedToAnother) {
      return new Admission.Unissued(Optional.of(last));
    }
    // Revoking or ending a stalled grant leaves a higher token that belongs to no grant.
    boolean acts =
        record
            .currentGrant()
            .filter(grant -> grant.token().equals(last) && claim.token().equals(last))
            .isPresent();
    return acts ? Admission.ADMITTED : new Admission.Stale(last);
  }

  @Override
  public synchronized CompletionStage<Optional<LeaseReading>> read(LeaseKey key) {
    return closed
        ? closedStore()
        : CompletableFuture.completedFuture(
            Optional.ofNullable(entries.get(key)).map(this::reading));
  }

  private LeaseReading reading(Entry entry) {
    long now = Math.max(clock.millis(), entry.record.writtenAtMillis());
    return new LeaseReading(LeaseRules.inIncarnation(entry.record, storeIncarnation), now);
  }

  @Override
  public synchronized CompletionStage<LeasePage> list(ListQuery query) {
    if (closed) {
      return closedStore();
    }
    List<LeaseReading> found =
        query.after().map(after -> entries.tailMap(after, false)).orElse(entries).values().stream()
            .filter(e -> e.record.key().text().startsWith(query.prefix()))
            .limit(query.limit() + 1L)
            .map(this::reading)
            .toList();
    boolean more = found.size() > query.limit();
    List<LeaseReading> page = more ? found.subList(0, query.limit()) : found;
    Optional<LeaseKey> next = more ? Optional.of(page.getLast().record().key()) : Optional.empty();
    return CompletableFuture.completedFuture(new LeasePage(page, next));
  }

  @Override
  public Subscription watch(String prefix, ChangeListener<LeaseChange> listener) {
    return feed.add(prefix, listener);
  }

  @Override
  public synchronized CompletionStage<PurgeReport> purge(PurgeQuery query) {
    if (closed) {
      return closedStore();
    }
    int purged = 0;
    for (LeaseKey key : List.copyOf(entries.keySet())) {
      if (purged == query.limit()) {
        break;
      }
      Command purge = new Command.Purge(key, query.deadForMillis());
      if (carryOut(purge, new ArrayList<>()) instanceof Outcome.Purged) {
        purged++;
      }
    }
    return CompletableFuture.completedFuture(new PurgeReport(purged));
  }

  @Override
  public CompletionStage<Advance.Outcome> advance(Advance advance) {
    IncarnationRules.Advancing advancing;
    synchronized (this) {
      if (closed) {
        return closedStore();
      }
      long nowMillis = clock.millis();
      long remainingMillis =
          entries.values().stream()
              .mapToLong(e -> IncarnationRules.remainingMillis(e.record, nowMillis))
              .max()
              .orElse(0);
      advancing = IncarnationRules.advance(storeIncarnation, advance, nowMillis, remainingMillis);
      storeIncarnation = advancing.storeIncarnation();
    }
    if (advancing.outcome() instanceof Advance.Advanced) {
      feed.reset();
    }
    return CompletableFuture.completedFuture(advancing.outcome());
  }

  @Override
  public synchronized CompletionStage<SuspectedRollbacks> suspectedRollbacks() {
    if (closed) {
      return closedStore();
    }
    return CompletableFuture.completedFuture(
        new SuspectedRollbacks(suspicions, List.copyOf(latestSuspicions)));
  }

  @Override
  public Ledger ledger() {
    return ledger;
  }

  @Override
  public Limits limits() {
    return limits;
  }

  @Override
  public synchronized void close() {
    closed = true;
    ledger.close();
  }

  private static <T> CompletionStage<T> closedStore() {
    return CompletableFuture.failedFuture(new IllegalStateException(CLOSED));
  }
}
