package dev.leasehold.kernel;

import dev.leasehold.fence.Guarantee;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.LeaseCharter;
import dev.leasehold.kernel.model.LeaseCharter.Handoff;
import dev.leasehold.kernel.model.LeaseCharter.Target;
import dev.leasehold.kernel.model.LeaseCharter.Unsealed;
import dev.leasehold.kernel.model.StallLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * The charters of one process, by kind, applied to requests. A request may be stricter than its
 * charter, never laxer, because what the audit prints must be true of every lease.
 */
final class Charters {
  private final ConcurrentSkipListMap<String, LeaseCharter> byKind = new ConcurrentSkipListMap<>();

  /** Only the first charter of a kind is kept. */
  LeaseCharter attach(LeaseCharter charter) {
    return byKind.computeIfAbsent(charter.kind(), kind -> charter);
  }

  List<LeaseCharter> all() {
    return List.copyOf(byKind.values());
  }

  Handoff handoffOf(LeaseKey key) {
    return of(key).map(LeaseCharter::handoff).orElse(Handoff.GAP);
  }

  Optional<LeaseCharter> of(LeaseKey key) {
    return Optional.ofNullable(byKind.get(key.kind()));
  }

  /** The request with the defaults of its charter. */
  LeaseRequest settle(LeaseRequest request) {
    return of(request.key()).map(charter -> settle(charter, request)).orElse(request);
  }

  private static LeaseRequest settle(LeaseCharter charter, LeaseRequest request) {
    LeaseRequest settled =
        request
            .ttl(ttl(charter, request))
            .stallLimit(stallLimit(charter, request))
            .sealing(seals(charter, request));
    return request.grace().isEmpty() && charter.grace().isPresent()
        ? settled.grace(charter.grace().get())
        : settled;
  }

  private static Duration ttl(LeaseCharter charter, LeaseRequest request) {
    Duration ttl = request.ttl().orElse(charter.ttl());
    if (ttl.compareTo(charter.ttl()) > 0) {
      throw contradiction(
          charter,
          "a ttl of at most " + charter.ttl() + ", the request for " + request.key() + " " + ttl,
          "ask for less, or write the longer ttl into the charter");
    }
    return ttl;
  }

  private static StallLimit stallLimit(LeaseCharter charter, LeaseRequest request) {
    StallLimit limit = charter.stallLimit();
    StallLimit asked = request.stallLimit();
    if (asked.equals(StallLimit.NONE)) {
      return limit;
    }
    if (!limit.equals(StallLimit.NONE) && asked.millis() > limit.millis()) {
      throw contradiction(
          charter,
          "that work is lost after "
              + limit.millis()
              + " ms without progress, the request for "
              + request.key()
              + " "
              + asked.millis()
              + " ms",
          "leave the stall limit out, ask for less, or write the longer one into the charter");
    }
    return asked;
  }

  private static List<Seal> seals(LeaseCharter charter, LeaseRequest request) {
    List<Seal> settled = new ArrayList<>();
    for (Seal seal : request.seals()) {
      settled.add(settle(charter, seal));
    }
    for (Target target : charter.targets()) {
      boolean sealed = settled.stream().anyMatch(seal -> seal.target().equals(target.name()));
      if (target.mustBeSealed() && !sealed) {
        throw contradiction(
            charter,
            "that no holder starts before target '"
                + target.name()
                + "' is sealed, the request for "
                + request.key()
                + " does not seal it",
            "add sealing(Seal.of(its fence)), or declare the target a hole in the charter");
      }
    }
    return settled;
  }

  private static Seal settle(LeaseCharter charter, Seal seal) {
    Target target =
        charter.targets().stream()
            .filter(known -> known.name().equals(seal.target()))
            .findAny()
            .orElseThrow(
                () ->
                    contradiction(
                        charter,
                        "nothing of target '" + seal.target() + "', the request seals it",
                        "name the target in the charter, so that the audit sees it"));
    requireFence(charter, target, seal);
    Unsealed policy = seal.whenUnsealed().orElse(target.whenUnsealed());
    if (policy == Unsealed.IS_A_HOLE && target.whenUnsealed() == Unsealed.BLOCKS) {
      throw contradiction(
          charter,
          "that no holder starts before target '"
              + target.name()
              + "' is sealed, its seal that"
              + " it may be left a hole",
          "leave that to the charter, or declare the target a hole there");
    }
    return seal.whenUnsealed(policy);
  }

  private static void requireFence(LeaseCharter charter, Target target, Seal seal) {
    boolean advises =
        seal.guarantee().filter(g -> g.check() == Guarantee.Atomicity.ADVICE).isPresent();
    if (advises && target.check().isFence()) {
      throw contradiction(
          charter,
          "that target '"
              + target.name()
              + "' checks by "
              + target.check()
              + ", its fence that"
              + " it only advises",
          "write ADVICE into the charter, or use a fence that checks with the change");
    }
  }

  private static IllFormedException contradiction(
      LeaseCharter charter, String saysWhat, String whatToDo) {
    return new IllFormedException(
        "the charter of '" + charter.kind() + "' says " + saysWhat + ": " + whatToDo);
  }
}
