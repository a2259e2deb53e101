package dev.leasehold.kernel.rules;

import static dev.leasehold.kernel.rules.Remembered.Verb.REOPEN;
import static dev.leasehold.kernel.rules.Remembered.Verb.REVOKE;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Bar;
import dev.leasehold.kernel.Closure;
import dev.leasehold.kernel.Grant;
import dev.leasehold.kernel.LeaseRecord;
import dev.leasehold.kernel.LossReason;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import java.util.Optional;
import java.util.OptionalLong;

/** What operators and housekeeping do to a key, whoever holds it. */
final class Operating {
  private Operating() {}

  static Decision revoke(Scene scene, Command.Revoke command) {
    Caller caller = new Caller.ByOperator(command.by());
    Optional<Remembered> earlier = scene.effectOf(command.requestId(), caller, REVOKE);
    if (earlier.isPresent()) {
      return Decision.unchanged(new Outcome.Revoked(earlier.get().token()));
    }
    Optional<Grant> current = scene.record().currentGrant();
    Optional<Closure> closure = closureAfter(scene, command);
    if (current.isEmpty() && closure.equals(closureInForce(scene))) {
      return Decision.unchanged(new Outcome.Free());
    }
    long now = scene.nowMillis();
    Token voidToken = scene.nextToken();
    LeaseRecord closed = scene.record().withLast(voidToken).withClosure(closure).writtenAt(now);
    Remembered.Request request = new Remembered.Request(command.requestId(), caller, REVOKE);
    Decision.Put put =
        current
            .map(grant -> endedBy(scene, command, closed, grant))
            .orElseGet(() -> Decision.Put.of(closed).telling(closedOrLifted(scene, closed)));
    return Decision.of(
        new Outcome.Revoked(voidToken), put.remembering(new Remembered(request, voidToken, now)));
  }

  /** Nobody held it: it was closed all the same, or a closure was lifted and it can be had. */
  private static LeaseChange closedOrLifted(Scene scene, LeaseRecord after) {
    LeaseChange.Kind kind =
        after.closure().isPresent() ? LeaseChange.Kind.REVOKED : LeaseChange.Kind.RELEASED;
    return scene.change(kind, after.last());
  }

  private static Decision.Put endedBy(
      Scene scene, Command.Revoke command, LeaseRecord closed, Grant grant) {
    long now = scene.nowMillis();
    LossReason reason = new LossReason.Revoked(command.by().name(), command.why().text());
    long barMillis = Math.max(grant.terms().ttlMillis(), Limits.MIN_BAR_MILLIS);
    Bar bar = new Bar(grant.instanceId(), command.why().text(), now + barMillis);
    return Decision.Put.of(
            closed
                .withGrant(grant.withStanding(LeaseRules.ended(reason, now)), now)
                .withBar(Optional.of(bar)))
        .telling(scene.change(LeaseChange.Kind.REVOKED, grant.token()));
  }

  private static Optional<Closure> closureInForce(Scene scene) {
    return scene.record().closure().filter(c -> c.isInForce(scene.nowMillis()));
  }

  /** A key closed until an operator acts stays so, whatever else is asked for. */
  private static Optional<Closure> closureAfter(Scene scene, Command.Revoke command) {
    Optional<Closure> inForce = closureInForce(scene);
    if (inForce.isPresent() && inForce.get().untilMillis().isEmpty()) {
      return inForce;
    }
    String why = command.why().text();
    return switch (command.reopening()) {
      case NOW -> Optional.empty();
      case BY_OPERATOR -> Optional.of(new Closure(why, OptionalLong.empty()));
      case AT_EXPIRY ->
          scene
              .record()
              .currentGrant()
              .flatMap(g -> untilExpiry(g, why, scene.nowMillis()))
              .or(() -> inForce);
    };
  }

  /** Closed while the holder of an ended grant may still trust it; not at all when it may not. */
  static Optional<Closure> untilExpiry(Grant grant, String why, long nowMillis) {
    return nowMillis < grant.expiresAtMillis()
        ? Optional.of(new Closure(why, OptionalLong.of(grant.expiresAtMillis())))
        : Optional.empty();
  }

  /** Its holder may not know yet; one that gave it back does. */
  private static boolean wasTakenAway(Grant grant) {
    return LeaseRules.endOf(grant)
        .filter(r -> r instanceof LossReason.Revoked || r instanceof LossReason.Stalled)
        .isPresent();
  }

  /**
   * Ends what only an operator can end. A revoked holder may trust until its old expiry all the
   * same, so until then the key stays closed; whoever wants it at once revokes {@code now}.
   */
  static Decision reopen(Scene scene, Command.Reopen command) {
    Caller caller = new Caller.ByOperator(command.by());
    if (scene.isRepeat(command.requestId(), caller, REOPEN)) {
      return Decision.unchanged(new Outcome.Reopened());
    }
    Optional<Closure> closed = closureInForce(scene).filter(c -> c.untilMillis().isEmpty());
    if (closed.isEmpty()) {
      return Decision.unchanged(new Outcome.NotClosed());
    }
    long now = scene.nowMillis();
    Optional<Closure> left =
        scene
            .record()
            .grant()
            .filter(Operating::wasTakenAway)
            .flatMap(g -> untilExpiry(g, closed.get().reason(), now));
    LeaseRecord open = scene.record().withClosure(left).writtenAt(now);
    Remembered.Request request = new Remembered.Request(command.requestId(), caller, REOPEN);
    return Decision.of(
        new Outcome.Reopened(),
        Decision.Put.of(open)
            .remembering(new Remembered(request, open.last(), now))
            .telling(scene.change(LeaseChange.Kind.RELEASED, open.last())));
  }

  /**
   * Forgets a key when nothing can depend on its record any more: no grant, closure or bar in
   * force, no request that may still be repeated, and all that for as long as was asked. A key
   * whose counter is used up is kept: as a floor it would stop every other key of its bucket.
   */
  static Decision purge(Scene scene, Command.Purge command) {
    LeaseRecord record = scene.record();
    boolean closedForGood = record.closure().filter(c -> c.untilMillis().isEmpty()).isPresent();
    boolean usedUp = record.last().counter() == Token.MAX_COUNTER;
    if (record.isBlank() || closedForGood || usedUp) {
      return Decision.unchanged(new Outcome.Kept());
    }
    long quietMillis = Math.max(command.deadForMillis(), scene.limits().memoryMillis());
    if (scene.nowMillis() - lastMattered(record) < quietMillis) {
      return Decision.unchanged(new Outcome.Kept());
    }
    return Decision.of(new Outcome.Purged(record.last()), new Decision.Delete(record.last()));
  }

  /** The grant whose holder was not told of its end: an advance tells nobody. */
  private static Optional<Grant> mayStillTrust(LeaseRecord record) {
    return record
        .grant()
        .filter(
            g ->
                g.isCurrent()
                    || LeaseRules.endOf(g)
                        .filter(LossReason.IncarnationAdvanced.class::isInstance)
                        .isPresent());
  }

  /** The last store time at which the record could have changed a decision. */
  private static long lastMattered(LeaseRecord record) {
    long last = record.writtenAtMillis();
    last = Math.max(last, mayStillTrust(record).map(Grant::expiresAtMillis).orElse(last));
    last = Math.max(last, record.closure().map(c -> c.untilMillis().getAsLong()).orElse(last));
    return Math.max(last, record.bar().map(Bar::untilMillis).orElse(last));
  }
}
