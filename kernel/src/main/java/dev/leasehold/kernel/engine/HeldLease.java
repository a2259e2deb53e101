package dev.leasehold.kernel.engine;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.LossReason;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * A grant on the holder's side. Any thread may ask how long it may be trusted, which is computed
 * each time; everything else happens in turns.
 */
public final class HeldLease {
  private static final System.Logger LOG = System.getLogger(HeldLease.class.getName());

  /** An AtomicLong for each lease would take a tenth of a lease's memory. */
  private static final AtomicLongFieldUpdater<HeldLease> PROGRESS =
      AtomicLongFieldUpdater.newUpdater(HeldLease.class, "progress");

  private final LeaseKey key;
  private final Token token;
  private final Instance instance;
  private final Timing timing;
  private final long longestRemainingMillis;
  private final OptionalLong renewalTtlMillis;
  private final long endsAtNanos;
  private final Listener listener;
  private volatile long progress;
  private volatile long trustUntilNanos;
  private volatile Optional<LossReason> over = Optional.empty();

  private boolean owed;

  // Used only by the keeper.
  boolean toldEnding;
  boolean renewing;
  int failures;
  long renewAtNanos;
  long nextEventNanos;
  int heapIndex = LeaseHeap.ABSENT;

  HeldLease(Claimed claimed, long sinceNanos, long trustUntilNanos, Listener listener) {
    this.key = claimed.key();
    this.token = claimed.token();
    this.instance = claimed.instance();
    this.timing = claimed.timing();
    this.longestRemainingMillis = claimed.longestRemainingMillis();
    this.renewalTtlMillis = claimed.renewalTtlMillis();
    this.endsAtNanos = sinceNanos + claimed.timing().atMostNanos();
    this.trustUntilNanos = trustUntilNanos;
    this.listener = listener;
  }

  /**
   * A grant, and how the holder keeps it.
   *
   * @param longestRemainingMillis the most that a renewal can grant
   * @param renewalTtlMillis the ttl of renewals; empty: the granted one
   */
  record Claimed(
      LeaseKey key,
      Token token,
      Instance instance,
      Timing timing,
      long longestRemainingMillis,
      OptionalLong renewalTtlMillis) {

    static Claimed of(AcquireRequest wanted, Token token, long longestRemainingMillis) {
      return new Claimed(
          wanted.key(),
          token,
          wanted.instance(),
          wanted.timing(),
          longestRemainingMillis,
          wanted.renewalTtlMillis());
    }
  }

  /**
   * Is told, in turns, that the lease ends or is lost; each at most once, and ending before lost.
   */
  public interface Listener {
    /** The work must stop: the trust ends after the stop grace unless a renewal succeeds. */
    void ending();

    void lost(LossReason reason);
  }

  public LeaseKey key() {
    return key;
  }

  public Token token() {
    return token;
  }

  Instance instance() {
    return instance;
  }

  Timing timing() {
    return timing;
  }

  /**
   * How long the holder may still trust the lease, at this reading of the ticker; 0 when it may
   * not.
   */
  public long trustNanos(long nowNanos) {
    return over.isPresent() ? 0 : Math.max(0, trustUntilNanos() - nowNanos);
  }

  /**
   * Why the lease may not be trusted any more: the reason that was given, else the limit that was
   * reached first.
   */
  public LossReason whyNotTrusted() {
    return over.orElseGet(
        () ->
            endsAtNanos - trustUntilNanos <= 0
                ? new LossReason.OutOfTime()
                : new LossReason.Unreachable());
  }

  /** How long the lease may be trusted by the store's answers alone, without its own time limit. */
  long promisedNanos(long nowNanos) {
    return trustUntilNanos - nowNanos;
  }

  /**
   * How long the store may refuse the key to others, if it does not learn that the lease is given
   * back.
   */
  long keptNanos(long nowNanos) {
    return Math.max(timing.ttlNanos(), trustUntilNanos - nowNanos);
  }

  /** Why the lease is over; empty while it is held. */
  public Optional<LossReason> over() {
    return over;
  }

  long longestRemainingMillis() {
    return longestRemainingMillis;
  }

  OptionalLong renewalTtlMillis() {
    return renewalTtlMillis;
  }

  /** The trust ends at the lease's own time limit, even if the store has granted more. */
  long trustUntilNanos() {
    long until = trustUntilNanos;
    return until - endsAtNanos < 0 ? until : endsAtNanos;
  }

  /** The work under the lease has made progress. */
  public void progressed() {
    PROGRESS.incrementAndGet(this);
  }

  long progress() {
    return progress;
  }

  /**
   * The end of the trust moves only forward, in any order of the answers, and not once the lease is
   * over: a thread that saw the lease as held may still be reading this value.
   */
  void trustUntil(long newTrustUntilNanos) {
    if (over.isEmpty() && newTrustUntilNanos - trustUntilNanos > 0) {
      trustUntilNanos = newTrustUntilNanos;
    }
  }

  void tellEnding() {
    if (!toldEnding) {
      toldEnding = true;
      tell("that it ends", listener::ending);
    }
  }

  void lose(LossReason reason) {
    if (over.isEmpty()) {
      over = Optional.of(reason);
      // The store does not know of this loss, and refuses the key to others until the grant
      // expires.
      owed |= isUntold(reason);
      tellEnding();
      tell("that it is lost", () -> listener.lost(reason));
    }
  }

  private static boolean isUntold(LossReason reason) {
    return reason instanceof LossReason.Unreachable
        || reason instanceof LossReason.OutOfTime
        || reason instanceof LossReason.Broken;
  }

  /** If a listener fails, the keeper must still process the other leases. */
  private void tell(String what, Runnable telling) {
    try {
      telling.run();
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "telling the work behind " + key + " " + what + " failed", e);
    }
  }

  /** The holder gives the lease up, so no listener is told. */
  void giveUp() {
    if (over.isEmpty()) {
      over = Optional.of(new LossReason.Released());
      owed = true;
    }
  }

  /** Tells the work to stop. Once it has, the lease is given back. */
  void stop() {
    if (over.isEmpty()) {
      owed = true;
      lose(new LossReason.Released());
    }
  }

  /** Whether the store must still be told that the lease is given back; true at most once. */
  boolean takeOwed() {
    boolean was = owed;
    owed = false;
    return was;
  }
}
