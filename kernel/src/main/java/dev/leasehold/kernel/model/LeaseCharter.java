package dev.leasehold.kernel.model;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Texts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The description of a kind of lease: what is leased, what its validity rests on, how long it
 * lasts, what renewal proves, which targets check its token, and which failure hand-off prefers.
 *
 * <p>Attached to {@link dev.leasehold.kernel.Leases}, it is the default of every request of its
 * kind, and its limit: a request may be stricter, but what would make the charter untrue is
 * refused. The audit prints it and names each target that does not check.
 *
 * @param kind the part of a key before the slash
 * @param covers what exactly the holder may touch, in one sentence
 * @param ttl how long a grant lasts without renewal, at most; a holder that has crashed keeps
 *     others out for that long, or longer if it requested the key {@linkplain
 *     dev.leasehold.kernel.LeaseRequest#atLeastFor for a least time}
 * @param grace how long work gets to stop; empty: as {@link dev.leasehold.kernel.LeaseRequest} says
 * @param stallLimit how long a holder may renew without progress; none: renewal proves only that
 *     the process lives
 * @param targets everything that the holder changes; the audit cannot find a hole in a target that
 *     is left out
 */
public record LeaseCharter(
    String kind,
    Payload payload,
    String covers,
    Anchor anchor,
    Duration ttl,
    Optional<Duration> grace,
    StallLimit stallLimit,
    Handoff handoff,
    List<Target> targets) {
  public static final int MAX_COVERS = 500;
  public static final int MAX_TARGETS = 100;

  public LeaseCharter {
    Texts.requireVisibleAscii("kind", kind, LeaseKey.MAX_LENGTH - 2);
    if (kind.indexOf('/') >= 0) {
      throw new IllFormedException("kind '" + kind + "' has a slash: a charter is for a kind");
    }
    Texts.requireOneLine("what the lease covers", covers, 1, MAX_COVERS);
    if (!ttl.isPositive()) {
      throw new IllFormedException("a charter's ttl is a positive duration, not " + ttl);
    }
    targets = List.copyOf(targets);
    if (targets.size() > MAX_TARGETS) {
      throw new IllFormedException(
          targets.size() + " targets: a charter names at most " + MAX_TARGETS);
    }
    long names = targets.stream().map(Target::name).distinct().count();
    if (names < targets.size()) {
      throw new IllFormedException("a charter names each target once");
    }
  }

  /** The default: anchored in the store, 30 s, renewed by a pulse, handed over with a gap. */
  public static LeaseCharter of(String kind, Payload payload, String covers) {
    return new LeaseCharter(
        kind,
        payload,
        covers,
        Anchor.STORE,
        Duration.ofSeconds(30),
        Optional.empty(),
        StallLimit.NONE,
        Handoff.GAP,
        List.of());
  }

  public LeaseCharter ttl(Duration newTtl) {
    return new LeaseCharter(
        kind, payload, covers, anchor, newTtl, grace, stallLimit, handoff, targets);
  }

  public LeaseCharter grace(Duration newGrace) {
    return new LeaseCharter(
        kind, payload, covers, anchor, ttl, Optional.of(newGrace), stallLimit, handoff, targets);
  }

  /** Renewal has to prove progress. */
  public LeaseCharter stallAfter(Duration limit) {
    return new LeaseCharter(
        kind, payload, covers, anchor, ttl, grace, StallLimit.of(limit), handoff, targets);
  }

  public LeaseCharter handoff(Handoff newHandoff) {
    return new LeaseCharter(
        kind, payload, covers, anchor, ttl, grace, stallLimit, newHandoff, targets);
  }

  /** Adds a target: something that the holder changes. */
  public LeaseCharter target(Target target) {
    List<Target> more = new ArrayList<>(targets);
    more.add(target);
    return new LeaseCharter(kind, payload, covers, anchor, ttl, grace, stallLimit, handoff, more);
  }

  /** What a renewal proves. It proves progress only if a lease without progress is lost. */
  public Evidence renewalProves() {
    return stallLimit.equals(StallLimit.NONE) ? Evidence.PULSE : Evidence.PROGRESS;
  }

  /** Targets where an old holder's write can still land. */
  public List<Target> holes() {
    return targets.stream().filter(target -> !target.check().isFence()).toList();
  }

  /** What the lease gives authority over. */
  public enum Payload {
    EXCLUSION,
    COORDINATION,
    WORK_ITEM,
    SHARD,
    RUN,
    LIVENESS,
    CAPACITY,
    READ_VALIDITY,
    PERMISSION
  }

  /** What validity rests on, from the weakest to the strongest. */
  public enum Anchor {
    /** The wall clock of one machine, compared with another's. */
    WALL_CLOCK,
    /** Heartbeats of a session: a proxy for being alive. */
    SESSION,
    /** The clock and the transactions of the one store that grants. */
    STORE,
    /** A majority's agreement. */
    QUORUM,
    /** The promise of an authority that others verify. */
    ISSUER
  }

  /** What a renewal proves. */
  public enum Evidence {
    /** That the process lives. */
    PULSE,
    /** That its work moves. */
    PROGRESS
  }

  /** Which failure a hand-off prefers; there is no third choice. */
  public enum Handoff {
    /** The old holder has stopped before the new one starts. */
    GAP,
    /** The new holder is ready before the token moves. */
    OVERLAP
  }

  /** How a target checks the token. */
  public enum Check {
    /** The check and the change are one transaction in the lease's own store. */
    AT_EFFECT(true),
    /** The target keeps the highest token that it admitted, in one transaction with the change. */
    HIGH_WATER_MARK(true),
    /** The database refuses changes without the current token, even from code that forgot. */
    GUARDED_TABLE(true),
    /** Each token has a place of its own, which only readers of that token read. */
    GENERATION(true),
    /** The holder asks before the change; if it pauses in between, an outdated change can land. */
    ADVICE(false),
    /** Nothing checks. */
    NONE(false);

    private final boolean fence;

    Check(boolean fence) {
      this.fence = fence;
    }

    /** Whether it stops an old holder that still trusts its lease. */
    public boolean isFence() {
      return fence;
    }
  }

  /** What to do when a target cannot be sealed before a successor starts. */
  public enum Unsealed {
    /** The successor does not start. */
    BLOCKS,
    /** The successor starts, and the audit lists the target as a hole. */
    IS_A_HOLE
  }

  /** Something that the holder changes. */
  public record Target(String name, Check check, Unsealed whenUnsealed) {
    public static final int MAX_NAME = 255;

    public Target {
      Texts.requireOneLine("target", name, 1, MAX_NAME);
    }

    /**
     * Whether every successor must seal it. A mark stops the old holder only once it has seen the
     * new token; the other checks need no seal, or have no mark to raise.
     */
    public boolean mustBeSealed() {
      return check == Check.HIGH_WATER_MARK && whenUnsealed == Unsealed.BLOCKS;
    }
  }
}
