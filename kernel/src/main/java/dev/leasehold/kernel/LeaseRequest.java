package dev.leasehold.kernel;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.kernel.model.LeaseCharter;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.StallLimit;
import dev.leasehold.kernel.spi.Command.Expected;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A request for a lease. Everything but the key has a default: first that of the {@link
 * LeaseCharter} of its kind, if the kind has one.
 *
 * @param ttl how long the grant lasts without renewal; empty: as the charter says, else the default
 *     of {@link Leases}, with its jitter
 * @param grace how long before the trust ends the work is told to stop; empty: as the charter says,
 *     else a tenth of the ttl, at most 5 s
 * @param renewEvery how often it is renewed, with some jitter; empty: every third of the ttl
 * @param length how long it is held at least and at most
 * @param stallLimit none: as the charter says
 * @param seals targets to seal before the caller gets the lease
 */
public record LeaseRequest(
    LeaseKey key,
    Optional<Duration> ttl,
    Optional<Duration> grace,
    Optional<Duration> renewEvery,
    Length length,
    StallLimit stallLimit,
    String purpose,
    Map<String, String> attributes,
    Optional<Expected> expected,
    List<Seal> seals) {

  public LeaseRequest {
    attributes = Map.copyOf(attributes);
    seals = List.copyOf(seals);
  }

  public static LeaseRequest of(String key) {
    return of(new LeaseKey(key));
  }

  public static LeaseRequest of(LeaseKey key) {
    return new LeaseRequest(
        key,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Length.OPEN,
        StallLimit.NONE,
        "",
        Map.of(),
        Optional.empty(),
        List.of());
  }

  public LeaseRequest ttl(Duration newTtl) {
    return new LeaseRequest(
        key,
        Optional.of(newTtl),
        grace,
        renewEvery,
        length,
        stallLimit,
        purpose,
        attributes,
        expected,
        seals);
  }

  public LeaseRequest grace(Duration newGrace) {
    return new LeaseRequest(
        key,
        ttl,
        Optional.of(newGrace),
        renewEvery,
        length,
        stallLimit,
        purpose,
        attributes,
        expected,
        seals);
  }

  /**
   * The interval must leave room for the grace and the margin within the ttl, so that a failed
   * renewal can be repeated.
   */
  public LeaseRequest renewEvery(Duration interval) {
    return new LeaseRequest(
        key,
        ttl,
        grace,
        Optional.of(interval),
        length,
        stallLimit,
        purpose,
        attributes,
        expected,
        seals);
  }

  /**
   * Keeps the key from others for this time from the grant, even if the caller closes the lease
   * sooner or this process dies: the first grant lasts that long.
   */
  public LeaseRequest atLeastFor(Duration least) {
    return length(new Length(least, length.atMost()));
  }

  /**
   * Ends the lease after this time, although it could be renewed: the work is told to stop a grace
   * before, then interrupted, and the lease is lost as {@link LossReason.OutOfTime}. If the work
   * still goes on, the key stays held for another ttl at most; after that only a fence stops the
   * work.
   */
  public LeaseRequest atMostFor(Duration most) {
    return length(new Length(length.atLeast(), Optional.of(most)));
  }

  private LeaseRequest length(Length newLength) {
    return new LeaseRequest(
        key, ttl, grace, renewEvery, newLength, stallLimit, purpose, attributes, expected, seals);
  }

  /**
   * How long a lease is held at least and at most.
   *
   * @param atMost empty: as long as it can be renewed
   */
  public record Length(Duration atLeast, Optional<Duration> atMost) {
    static final Length OPEN = new Length(Duration.ZERO, Optional.empty());

    public Length {
      if (atLeast.isNegative()) {
        throw new IllFormedException("nothing is held for at least " + atLeast);
      }
      if (atMost.isPresent() && atMost.get().compareTo(atLeast) < 0) {
        throw new IllFormedException(
            "a lease is held for at least " + atLeast + " and at most " + atMost.get());
      }
    }
  }

  /** The lease is lost when it is renewed for this time without {@link Lease#progressed()}. */
  public LeaseRequest stallAfter(Duration limit) {
    return new LeaseRequest(
        key,
        ttl,
        grace,
        renewEvery,
        length,
        StallLimit.of(limit),
        purpose,
        attributes,
        expected,
        seals);
  }

  public LeaseRequest purpose(String newPurpose) {
    return new LeaseRequest(
        key, ttl, grace, renewEvery, length, stallLimit, newPurpose, attributes, expected, seals);
  }

  public LeaseRequest attribute(String name, String value) {
    Map<String, String> more = new TreeMap<>(attributes);
    more.put(name, value);
    return new LeaseRequest(
        key, ttl, grace, renewEvery, length, stallLimit, purpose, more, expected, seals);
  }

  /** Acquires the key only if this grant, which has expired, is still its latest. */
  public LeaseRequest following(InstanceId instanceId, Token token) {
    return new LeaseRequest(
        key,
        ttl,
        grace,
        renewEvery,
        length,
        stallLimit,
        purpose,
        attributes,
        Optional.of(new Expected(instanceId, token)),
        seals);
  }

  public LeaseRequest sealing(Seal seal) {
    List<Seal> more = new ArrayList<>(seals);
    more.add(seal);
    return sealing(more);
  }

  LeaseRequest sealing(List<Seal> newSeals) {
    return new LeaseRequest(
        key, ttl, grace, renewEvery, length, stallLimit, purpose, attributes, expected, newSeals);
  }

  LeaseRequest stallLimit(StallLimit newLimit) {
    return new LeaseRequest(
        key, ttl, grace, renewEvery, length, newLimit, purpose, attributes, expected, seals);
  }
}
