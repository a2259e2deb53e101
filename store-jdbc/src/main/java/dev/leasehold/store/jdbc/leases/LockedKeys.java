package dev.leasehold.store.jdbc.leases;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.store.jdbc.status.LockHolder;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Keys whose rows other transactions have kept locked for longer than a moment, and, after a
 * second, which backends these are. They are looked up beside the commands, at most once a second
 * for each key, and told in the log once for each backend that stands in the way.
 */
public final class LockedKeys {
  private static final System.Logger LOG = System.getLogger(LockedKeys.class.getName());

  private static final long LOOK_EVERY_NANOS = Duration.ofSeconds(1).toNanos();

  /** What was not asked for since is forgotten when there are so many. */
  private static final long FORGOTTEN_AFTER_NANOS = Duration.ofSeconds(30).toNanos();

  private static final int MANY = 1_000;

  private final Function<LeaseKey, CompletionStage<List<LockHolder>>> lookup;
  private final Ticker ticker;
  private final Map<LeaseKey, Stuck> stuck = new ConcurrentHashMap<>();

  public LockedKeys(Function<LeaseKey, CompletionStage<List<LockHolder>>> lookup, Ticker ticker) {
    this.lookup = lookup;
    this.ticker = ticker;
  }

  /** One key that is locked. Its fields are used under its monitor. */
  private static final class Stuck {
    private final Set<Long> told = new HashSet<>();
    private Optional<String> lockedBy = Optional.empty();
    private long seenNanos;

    /** When it was looked up last; at first, when it was found locked. */
    private long lookedNanos;

    Stuck(long nowNanos) {
      this.seenNanos = nowNanos;
      this.lookedNanos = nowNanos;
    }

    synchronized boolean isToBeLookedUp(long nowNanos) {
      seenNanos = nowNanos;
      if (nowNanos - lookedNanos < LOOK_EVERY_NANOS) {
        return false;
      }
      lookedNanos = nowNanos;
      return true;
    }

    synchronized Optional<String> lockedBy() {
      return lockedBy;
    }

    synchronized boolean isForgotten(long nowNanos) {
      return nowNanos - seenNanos > FORGOTTEN_AFTER_NANOS;
    }

    /** Those of them that were not told before. */
    synchronized List<LockHolder> found(List<LockHolder> holders) {
      lockedBy = holders.stream().findFirst().map(holder -> ServerBatch.LOCKED + ": " + holder);
      return holders.stream().filter(holder -> told.add(holder.pid())).toList();
    }
  }

  /** Whether it was locked when it was last tried: then nothing is won by waiting for a moment. */
  boolean isStuck(LeaseKey key) {
    return stuck.containsKey(key);
  }

  /** It was waited for in vain. Says who keeps it locked, once that is known. */
  Optional<String> sawLocked(LeaseKey key) {
    long now = ticker.nanos();
    if (stuck.size() >= MANY) {
      stuck.values().removeIf(one -> one.isForgotten(now));
    }
    Stuck one = stuck.computeIfAbsent(key, unused -> new Stuck(now));
    if (one.isToBeLookedUp(now)) {
      var unused = lookup.apply(key).thenAccept(holders -> tell(key, one.found(holders)));
    }
    return one.lockedBy();
  }

  /** A command on it was decided. */
  void sawFree(LeaseKey key) {
    if (!stuck.isEmpty()) {
      stuck.remove(key);
    }
  }

  private static void tell(LeaseKey key, List<LockHolder> holders) {
    for (LockHolder holder : holders) {
      LOG.log(Level.WARNING, "commands on {0} wait: its row is locked by {1}", key, holder);
    }
  }
}
