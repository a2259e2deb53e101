package dev.leasehold.verification.simulation;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.MemoryFence;
import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.fence.Token;
import dev.leasehold.testkit.history.Event;
import dev.leasehold.testkit.history.TargetEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;

/**
 * What holders change. The fenced target has a version per key: a writer brings the version that it
 * has read, so that a lost update is noticed.
 */
final class Targets {
  private final World world;
  private final MemoryFence fence;
  private final BiPredicate<LeaseKey, Token> doubled;
  private final Map<LeaseKey, Long> versions = new HashMap<>();
  private final Map<LeaseKey, Token> highestSeen = new HashMap<>();
  private final Map<LeaseKey, Token> unfenced = new HashMap<>();
  private final List<Event> events = new ArrayList<>();
  private long corruptions;
  private long refusals;

  Targets(World world, RefusalTrail trail, BiPredicate<LeaseKey, Token> doubled) {
    this.world = world;
    this.doubled = doubled;
    this.fence = new MemoryFence("fenced", trail);
  }

  /** Raises the mark; false if it is already higher. */
  boolean seal(LeaseKey key, Token token) {
    boolean admitted = fence.seal(Claim.of(key, token)) instanceof Admission.Admitted;
    note(key, token, admitted ? new TargetEvent.Sealed() : new TargetEvent.Refused());
    return admitted;
  }

  long read(LeaseKey key) {
    return versions.getOrDefault(key, 0L);
  }

  /** A write that rests on the version that was read. */
  boolean write(LeaseKey key, Token token, long readVersion) {
    Admission admission =
        fence.change(
            Claim.of(key, token),
            () -> {
              // No fence can distinguish two holders of the same token, after writes were lost
              // unnoticed.
              if (read(key) != readVersion && !doubled.test(key, token)) {
                world.broken(
                    "seal",
                    "a write to "
                        + key
                        + " under "
                        + token
                        + " rests on version "
                        + readVersion
                        + ", but version "
                        + read(key)
                        + " is there: that update is lost");
              }
              versions.put(key, read(key) + 1);
            });
    boolean admitted = admission instanceof Admission.Admitted;
    note(key, token, admitted ? new TargetEvent.Changed() : new TargetEvent.Refused());
    return admitted;
  }

  /** Writes without any check. */
  void writeUnfenced(LeaseKey key, Token token) {
    Token highest = unfenced.merge(key, token, (a, b) -> a.isAbove(b) ? a : b);
    if (highest.isAbove(token)) {
      corruptions++;
    }
  }

  private void note(LeaseKey key, Token token, TargetEvent.Action action) {
    if (action instanceof TargetEvent.Refused) {
      refusals++;
      world.trace("fence", () -> "refuses " + token + " of " + key);
    } else {
      Token highest = highestSeen.merge(key, token, (a, b) -> a.isAbove(b) ? a : b);
      if (highest.isAbove(token)) {
        world.broken("I4", "the fence let " + token + " of " + key + " in after " + highest);
      }
    }
    events.add(new TargetEvent("fenced", key, token, events.size(), world.now(), action));
  }

  long corruptions() {
    return corruptions;
  }

  long refusals() {
    return refusals;
  }

  List<Event> events() {
    return events;
  }
}
