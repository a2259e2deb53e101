package dev.leasehold.kernel.engine;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Instance;
import dev.leasehold.kernel.LossReason;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * A grant on the holder's side. How far it may be trusted is computed on every question, from any
 * thread; everything else happens in turns.
 */
public final class HeldLease {
  private static final System.Logger LOG = System.getLogger(HeldLease.class.getName());

  /** An object of its own for each would take a tenth of all that a lease takes. */
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

  // The keeper's own.
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
   * What was granted, and how it is to be kept.
   *
   * @param longestRemainingMillis more than this no renewal can give
   * @param renewalTtlMillis what to renew for; empty: as long as was granted
   */
  record Claimed(
      LeaseKey key,
      Token token,
      Instance instance,
      Timing timing,
      long longestRemainingMillis,
      OptionalLong renewalTtlMillis) {

    static Claimed of(Wanted wanted, Token token, long longestRemainingMillis) {
      return new Claimed(
          wanted.key(),
          token,
          wanted.instance(),
          wanted.timing(),
          longestRemainingMillis,
          wanted.renewalTtlMillis());
    }
  }

  /** Is told, in turns, what becomes of the lease; each at most once, ending before lost. */
  public interface Listener {
    /** The trust runs out after the stop grace unless a renewal comes through: stop the work. */
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

  /** How long it may still be trusted, at this moment of the ticker; 0 when it may not. */
  public long trustNanos(long nowNanos) {
    return over.isPresent() ? 0 : Math.max(0, trustUntilNanos() - nowNanos);
  }

  /** Why it may not be trusted any more: what was said, else what time has brought first. */
  public LossReason whyNotTrusted() {
    return over.orElseGet(
        () ->
            endsAtNanos - trustUntilNanos <= 0
                ? new LossReason.OutOfTime()
                : new LossReason.Unreachable());
  }

  /** How long it may be trusted by the store's word alone, wherever its own time ends. */
  long promisedNanos(long nowNanos) {
    return trustUntilNanos - nowNanos;
  }

  /** How long the store may keep it from others, if it cannot be told that it is given back. */
  long keptNanos(long nowNanos) {
    return Math.max(timing.ttlNanos(), trustUntilNanos - nowNanos);
  }

  /** Why it is over; empty while it is not. */
  public Optional<LossReason> over() {
    return over;
  }

  long longestRemainingMillis() {
    return longestRemainingMillis;
  }

  OptionalLong renewalTtlMillis() {
    return renewalTtlMillis;
  }

  /** However far the store's word goes, it ends when its own time is up. */
  long trustUntilNanos() {
    long until = trustUntilNanos;
    return until - endsAtNanos < 0 ? until : endsAtNanos;
  }

  /** The work behind it has moved. */
  public void progressed() {
    PROGRESS.incrementAndGet(this);
  }

  long progress() {
    return progress;
  }

  /**
   * The trust moves only forward, whatever order answers come in, and not after the end: who asked
   * just before the end may be reading it.
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
      // The store was not asked, and may keep it from others until it runs out.
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

  /** A listener that fails must not keep the keeper from the leases that come after this one. */
  private void tell(String what, Runnable telling) {
    try {
      telling.run();
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "telling the work behind " + key + " " + what + " failed", e);
    }
  }

  /** The holder gives it up by itself: nobody needs to be told. */
  void giveUp() {
    if (over.isEmpty()) {
      over = Optional.of(new LossReason.Released());
      owed = true;
    }
  }

  /** Its work must stop, and once it has, the lease is to be given back. */
  void stop() {
    if (over.isEmpty()) {
      owed = true;
      lose(new LossReason.Released());
    }
  }

  /** Whether the store still has to be told that it is given back; asked once. */
  boolean takeOwed() {
    boolean was = owed;
    owed = false;
    return was;
  }
}
