package dev.leasehold.store.jdbc.batches;

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
 * The places of a table whose rows other transactions have kept locked for longer than a moment
 * and, after a second, the backends that lock them. They are looked up beside the commands, at most
 * once a second for each place, and each blocking backend is logged once.
 */
public final class LockedPlaces<K> {
  private static final System.Logger LOG = System.getLogger(LockedPlaces.class.getName());

  static final String LOCKED = "its row is locked by another transaction";

  private static final long LOOK_EVERY_NANOS = Duration.ofSeconds(1).toNanos();

  /** Above {@link #MANY} places, those that no command has asked for since are forgotten. */
  private static final long FORGOTTEN_AFTER_NANOS = Duration.ofSeconds(30).toNanos();

  private static final int MANY = 1_000;

  private final Function<K, CompletionStage<List<LockHolder>>> lookup;
  private final Ticker ticker;
  private final Map<K, Stuck> stuck = new ConcurrentHashMap<>();

  public LockedPlaces(Function<K, CompletionStage<List<LockHolder>>> lookup, Ticker ticker) {
    this.lookup = lookup;
    this.ticker = ticker;
  }

  /** One place whose row is locked. Its fields are guarded by its monitor. */
  private static final class Stuck {
    private final Set<Long> told = new HashSet<>();
    private Optional<String> lockedBy = Optional.empty();
    private long seenNanos;

    /** The time of the last lookup or, before the first, when the row was found locked. */
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

    /** Those of the holders that were not reported before. */
    synchronized List<LockHolder> found(List<LockHolder> holders) {
      lockedBy = holders.stream().findFirst().map(holder -> LOCKED + ": " + holder);
      return holders.stream().filter(holder -> told.add(holder.pid())).toList();
    }
  }

  /** Whether the row was locked when it was last tried: then waiting for a moment is of no use. */
  boolean isStuck(K place) {
    return stuck.containsKey(place);
  }

  /**
   * A command has waited, and the row is still locked. Returns the transaction that locks the row,
   * once known.
   */
  Optional<String> sawLocked(K place) {
    long now = ticker.nanos();
    if (stuck.size() >= MANY) {
      stuck.values().removeIf(one -> one.isForgotten(now));
    }
    Stuck one = stuck.computeIfAbsent(place, unused -> new Stuck(now));
    if (one.isToBeLookedUp(now)) {
      var unused = lookup.apply(place).thenAccept(holders -> tell(place, one.found(holders)));
    }
    return one.lockedBy();
  }

  /** A command on it was decided. */
  void sawFree(K place) {
    if (!stuck.isEmpty()) {
      stuck.remove(place);
    }
  }

  private static <K> void tell(K place, List<LockHolder> holders) {
    for (LockHolder holder : holders) {
      LOG.log(Level.WARNING, "commands on {0} wait: its row is locked by {1}", place, holder);
    }
  }
}
