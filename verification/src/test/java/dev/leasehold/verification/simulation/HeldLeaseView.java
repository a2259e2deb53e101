package dev.leasehold.verification.simulation;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.engine.AcquireRequest;
import dev.leasehold.kernel.engine.HeldLease;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.spi.Command;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A lease as its user sees it: what the user was told, and when; and what the wire shows of it. */
final class HeldLeaseView implements HeldLease.Listener {
  private final World world;
  private final SimProcess process;
  private final AcquireRequest wanted;
  private final User user;
  private @Nullable HeldLease lease;

  boolean endingTold;
  boolean closed;
  boolean inherited;
  boolean progressing = true;
  long progress;
  long progressedNanos;
  Optional<LossReason> loss = Optional.empty();

  /**
   * Since when it has been held, or when the last renewal that was answered in time was sent; in
   * the world's time.
   */
  long goodSinceNanos;

  /** Until when it may be trusted, by its ticker, as far as it was told. */
  long trustUntilTicks;

  /** When its own time limit ends it, on its ticker. */
  private long endsAtTicks;

  /** Until when its key is kept from others after its work has ended, on its ticker. */
  private long keptUntilTicks;

  boolean kept;

  /**
   * Renewals since the last successful one, and those of them that failed, by the time of sending.
   */
  int attempts;

  final List<Long> failed = new ArrayList<>();
  final Set<Command> hungBy = new HashSet<>();
  boolean toldLost;

  /** The user that works under the lease. */
  interface User {
    void ending();

    void lost(HeldLeaseView view, LossReason reason);
  }

  HeldLeaseView(World world, SimProcess process, AcquireRequest wanted, User user) {
    this.world = world;
    this.process = process;
    this.wanted = wanted;
    this.user = user;
  }

  SimProcess process() {
    return process;
  }

  AcquireRequest wanted() {
    return wanted;
  }

  LeaseKey key() {
    return wanted.key();
  }

  Token token() {
    return lease().token();
  }

  HeldLease lease() {
    if (lease == null) {
      throw new IllegalStateException("not held");
    }
    return lease;
  }

  /** The lease is held from now on. */
  void begin(HeldLease won) {
    lease = won;
    goodSinceNanos = world.now();
    progressedNanos = world.now();
    endsAtTicks = process.ticks() + wanted.timing().atMostNanos();
    boolean longer = longestNanos() > wanted.timing().ttlNanos();
    keptUntilTicks = process.ticks() + (longer ? longestNanos() : 0);
    trustUntilTicks = earlier(endsAtTicks, process.ticks() + won.trustNanos(process.ticks()));
    requireGrounds(won.token());
    process.views.add(this);
    process.open.add(this);
  }

  /** I6: trust in an answer counts from the sending of its attempt, never from later. */
  private void requireGrounds(Token token) {
    SimProcess.Grounds given = process.grounds.get(key());
    if (given != null && given.token().equals(token)) {
      long until = given.sentTicks() + trustedFor(given.remainingNanos());
      requireNotAfter(until);
    }
  }

  private void requireNotAfter(long untilTicks) {
    long over = process.ticks() + trustNanos() - untilTicks;
    if (trustNanos() > 0 && over > 0) {
      world.broken("I6", this + " is trusted for " + over + " ns longer than its answers give");
    }
  }

  /** I6: the trust rests on what was answered. */
  void requireFounded() {
    requireNotAfter(trustUntilTicks);
  }

  /** The remaining time less a tenth, or less the lease's own margin if that is more. */
  long trustedFor(long remainingNanos) {
    return remainingNanos - Math.max(wanted.timing().marginNanos(), remainingNanos / 10);
  }

  long trustNanos() {
    return lease().trustNanos(process.ticks());
  }

  /** The earlier of two readings of a ticker, which may start anywhere and overflow. */
  private static long earlier(long one, long other) {
    return one - other < 0 ? one : other;
  }

  /** What the store may grant at first. */
  long longestNanos() {
    return Math.max(wanted.timing().ttlNanos(), wanted.terms().ttlMillis() * World.MILLI);
  }

  /** How long its key must still be kept from others. */
  long keptNanos() {
    return keptUntilTicks - process.ticks();
  }

  boolean isOutOfTime() {
    return process.ticks() - endsAtTicks >= 0;
  }

  void progressed() {
    progress++;
    progressedNanos = world.now();
    lease().progressed();
  }

  void renewed(long sentNanos, long newTrustUntilTicks) {
    if (trustUntilTicks - process.ticks() <= 0) {
      // An answer after the trust has ended does not restore it, because the work may have been
      // told of the end.
      return;
    }
    if (sentNanos > goodSinceNanos) {
      goodSinceNanos = sentNanos;
      failed.removeIf(sent -> sent <= sentNanos);
      attempts = failed.size();
    }
    long until = earlier(endsAtTicks, newTrustUntilTicks);
    trustUntilTicks = earlier(trustUntilTicks, until) == until ? trustUntilTicks : until;
  }

  @Override
  public void ending() {
    if (endingTold) {
      world.broken("I9", this + " was told twice that it ends");
    }
    endingTold = true;
    world.trace(process.name(), () -> this + " is ending");
    user.ending();
  }

  @Override
  public void lost(LossReason reason) {
    if (loss.isPresent() || !endingTold) {
      world.broken("I9", this + " was told of its loss twice, or before it was told to stop");
    }
    if (trustNanos() > 0) {
      world.broken("I9", this + " is still trusted while it is told of its loss");
    }
    loss = Optional.of(reason);
    world.trace(process.name(), () -> this + " is lost: " + reason);
    user.lost(this, reason);
  }

  @Override
  public String toString() {
    return key() + " under " + (lease == null ? "no token" : lease.token()) + " of " + process;
  }
}
