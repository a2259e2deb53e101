package dev.leasehold.kernel;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Command.Expected;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What to hold, and how. Everything but the key has a default: first of all what the {@link
 * LeaseCharter} of its kind says, if the kind has one.
 *
 * @param ttl how long the grant lasts without renewal; empty: as the charter says, else the default
 *     of {@link Leases}, with its jitter
 * @param grace how long before the trust ends the work is told to stop; empty: as the charter says,
 *     else a tenth of the ttl, at most 5 s
 * @param stallLimit none: as the charter says
 * @param seals targets to be sealed before the caller gets the lease
 */
public record LeaseRequest(
    LeaseKey key,
    Optional<Duration> ttl,
    Optional<Duration> grace,
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
        StallLimit.NONE,
        "",
        Map.of(),
        Optional.empty(),
        List.of());
  }

  public LeaseRequest ttl(Duration newTtl) {
    return new LeaseRequest(
        key, Optional.of(newTtl), grace, stallLimit, purpose, attributes, expected, seals);
  }

  public LeaseRequest grace(Duration newGrace) {
    return new LeaseRequest(
        key, ttl, Optional.of(newGrace), stallLimit, purpose, attributes, expected, seals);
  }

  /** Lost when it is renewed for so long without {@link Lease#progressed()}. */
  public LeaseRequest stallAfter(Duration limit) {
    return new LeaseRequest(
        key, ttl, grace, StallLimit.of(limit), purpose, attributes, expected, seals);
  }

  public LeaseRequest purpose(String newPurpose) {
    return new LeaseRequest(key, ttl, grace, stallLimit, newPurpose, attributes, expected, seals);
  }

  public LeaseRequest attribute(String name, String value) {
    Map<String, String> more = new TreeMap<>(attributes);
    more.put(name, value);
    return new LeaseRequest(key, ttl, grace, stallLimit, purpose, more, expected, seals);
  }

  /** Only if the key still is with this grant, which has expired. */
  public LeaseRequest following(InstanceId instanceId, Token token) {
    return new LeaseRequest(
        key,
        ttl,
        grace,
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
    return new LeaseRequest(key, ttl, grace, stallLimit, purpose, attributes, expected, newSeals);
  }

  LeaseRequest stallLimit(StallLimit newLimit) {
    return new LeaseRequest(key, ttl, grace, newLimit, purpose, attributes, expected, seals);
  }
}
