package dev.leasehold.blocks.leader;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.LeaseRequest;
import dev.leasehold.kernel.Leases;
import dev.leasehold.kernel.Seal;
import dev.leasehold.kernel.model.LeaseCharter;
import dev.leasehold.kernel.model.LeaseCharter.Payload;
import dev.leasehold.kernel.model.StallLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Settings of an {@link Election}. Only its name is required. */
public final class ElectionBuilder {
  private static final String KIND = "leader";
  private static final Duration USUAL_TTL = Duration.ofSeconds(30);
  private static final Duration USUAL_ALLOWANCE = Duration.ofMinutes(5);
  private static final Duration LONGEST_GRACE = Duration.ofSeconds(5);
  private static final int GRACES_PER_TTL = 10;

  /** How many ttls the store waits for progress, after the work's own allowance. */
  private static final int STALL_TTLS = 2;

  private final Leases leases;
  private final String name;
  private Optional<Duration> ttl = Optional.empty();
  private Optional<Duration> grace = Optional.empty();
  private Optional<Duration> allowance = Optional.empty();
  private String purpose = "";
  private final List<Seal> seals = new ArrayList<>();
  private final List<LeaderLoop> loops = new ArrayList<>();
  private final List<ElectionListener> listeners = new ArrayList<>();
  private Election.WarmUp warmUp = () -> {};
  private boolean expectsOthers = true;

  ElectionBuilder(Leases leases, String name) {
    this.leases = leases;
    this.name = name;
  }

  /** How long a crashed leader's lease lasts. Default: the charter's ttl, else 30 s. */
  public ElectionBuilder ttl(Duration newTtl) {
    ttl = Optional.of(newTtl);
    return this;
  }

  /** How long work gets to stop. Default: the charter's, else a tenth of the ttl, at most 5 s. */
  public ElectionBuilder grace(Duration newGrace) {
    grace = Optional.of(newGrace);
    return this;
  }

  /**
   * How long work may run without {@link Leading#progressed()} before this replica loses the lease,
   * which then takes up to two ttls more. A loop can have its own. Default: 5 minutes, or less if
   * the charter's stall limit requires it.
   */
  public ElectionBuilder allowance(Duration newAllowance) {
    allowance = Optional.of(newAllowance);
    return this;
  }

  /** What this replica does ({@code reconciler}, ...), for people and for the audit. */
  public ElectionBuilder purpose(String newPurpose) {
    purpose = newPurpose;
    return this;
  }

  /** A target that is sealed with a new term's token before listeners are notified. */
  public ElectionBuilder sealing(Seal seal) {
    seals.add(seal);
    return this;
  }

  /** Runs only while this replica leads. */
  public ElectionBuilder loop(LeaderLoop loop) {
    if (loops.stream().anyMatch(known -> known.name().equals(loop.name()))) {
      throw new IllFormedException("two loops are called '" + loop.name() + "'");
    }
    loops.add(loop);
    return this;
  }

  public ElectionBuilder listener(ElectionListener listener) {
    listeners.add(listener);
    return this;
  }

  /** Prepares this replica for a hand-over with an overlap: see {@link Election#standReady}. */
  public ElectionBuilder warmUp(Election.WarmUp newWarmUp) {
    warmUp = newWarmUp;
    return this;
  }

  /**
   * There is only this replica, as on an embedded store: ordinary events are logged as debug, and a
   * replica that steps down is a candidate again at once. It still takes the lease, so that an
   * unexpected second replica does no harm.
   */
  public ElectionBuilder singleReplica() {
    expectsOthers = false;
    return this;
  }

  /**
   * Starts the election: this replica becomes a candidate. A second election of the same name on
   * the same {@code Leases} is refused until the first is closed and its work has ended.
   */
  public Election start() {
    ElectionSettings settings = settle();
    leases.check(settings.request());
    Leases.Reservation reservation =
        leases
            .reserve(settings.request().key())
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        "this process stands for '"
                            + name
                            + "' already: use that election, or close it first"));
    ElectionRunner replica = new ElectionRunner(leases, settings, reservation);
    replica.happens(new Event.Start());
    return new Election(replica);
  }

  private ElectionSettings settle() {
    LeaseCharter charter = leases.attach(ownCharter());
    Duration settledTtl = ttl.orElse(charter.ttl());
    Duration settledGrace = grace.or(charter::grace).orElse(usualGrace(settledTtl));
    LeaseRequest request =
        LeaseRequest.of(LeaseKey.of(KIND, name))
            .purpose(purpose)
            .ttl(settledTtl)
            .grace(settledGrace)
            .stallAfter(stallLimit(settledTtl));
    for (Seal seal : seals) {
      request = request.sealing(seal);
    }
    return new ElectionSettings(
        name,
        request,
        settledTtl,
        settledGrace,
        settledAllowance(charter, settledTtl),
        charter.handoff(),
        loops,
        listeners,
        warmUp,
        expectsOthers);
  }

  /** Used unless the user has attached a charter for the kind. */
  private LeaseCharter ownCharter() {
    Duration longestTtl = longer(USUAL_TTL, ttl.orElse(USUAL_TTL));
    Duration longestAllowance = allowance.orElse(USUAL_ALLOWANCE);
    for (LeaderLoop loop : loops) {
      longestAllowance = longer(longestAllowance, loop.allowance().orElse(longestAllowance));
    }
    return LeaseCharter.of(
            KIND, Payload.COORDINATION, "what one replica at a time does for all of them")
        .ttl(longestTtl)
        .stallAfter(longestAllowance.plus(stallLimit(longestTtl)));
  }

  private static Duration stallLimit(Duration ofTtl) {
    return ofTtl.multipliedBy(STALL_TTLS);
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) >= 0 ? one : other;
  }

  private static Duration usualGrace(Duration ofTtl) {
    Duration part = ofTtl.dividedBy(GRACES_PER_TTL);
    return part.compareTo(LONGEST_GRACE) < 0 ? part : LONGEST_GRACE;
  }

  /** The allowance and the store's wait for progress together stay within the charter's limit. */
  private Duration settledAllowance(LeaseCharter charter, Duration settledTtl) {
    if (charter.stallLimit().equals(StallLimit.NONE)) {
      return allowance.orElse(USUAL_ALLOWANCE);
    }
    Duration limit = Duration.ofMillis(charter.stallLimit().millis());
    Duration longest = limit.minus(stallLimit(settledTtl));
    Duration settled =
        allowance.orElse(USUAL_ALLOWANCE.compareTo(longest) < 0 ? USUAL_ALLOWANCE : longest);
    requireWithin("the election", settled, longest);
    loops.forEach(
        loop ->
            requireWithin("loop '" + loop.name() + "'", loop.allowance().orElse(settled), longest));
    return settled;
  }

  private static void requireWithin(String what, Duration asked, Duration longest) {
    if (asked.compareTo(longest) > 0 || !asked.isPositive()) {
      throw new IllFormedException(
          what
              + " is allowed "
              + asked
              + " without progress, but the charter's stall limit less two ttls is "
              + longest
              + ": allow less, or write a longer stall limit or a shorter ttl into the charter");
    }
  }
}
