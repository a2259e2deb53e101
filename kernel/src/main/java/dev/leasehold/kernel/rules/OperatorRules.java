package dev.leasehold.kernel.rules;

import static dev.leasehold.kernel.rules.Remembered.Verb.REOPEN;
import static dev.leasehold.kernel.rules.Remembered.Verb.REVOKE;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Bar;
import dev.leasehold.kernel.model.Closure;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import java.util.Optional;
import java.util.OptionalLong;

/** Decides the verbs of operators and of housekeeping, which apply under any holder. */
final class OperatorRules {
  private OperatorRules() {}

  static Decision revoke(DecisionContext context, Command.Revoke command) {
    Caller caller = new Caller.ByOperator(command.by());
    Optional<Remembered> earlier = context.effectOf(command.requestId(), caller, REVOKE);
    if (earlier.isPresent()) {
      return Decision.unchanged(new Outcome.Revoked(earlier.get().token()));
    }
    Optional<Grant> current = context.record().currentGrant();
    Optional<Closure> closure = closureAfter(context, command);
    if (current.isEmpty() && closure.equals(closureInForce(context))) {
      return Decision.unchanged(new Outcome.Free());
    }
    long now = context.nowMillis();
    Token voidToken = context.nextToken();
    LeaseRecord closed = context.record().withLast(voidToken).withClosure(closure).writtenAt(now);
    Remembered.Request request = new Remembered.Request(command.requestId(), caller, REVOKE);
    Decision.Put put =
        current
            .map(grant -> endedBy(context, command, closed, grant))
            .orElseGet(() -> Decision.Put.of(closed).telling(closedOrLifted(context, closed)));
    return Decision.of(
        new Outcome.Revoked(voidToken), put.remembering(new Remembered(request, voidToken, now)));
  }

  /**
   * The key had no current grant: the revocation closed it, or lifted a closure so that it can be
   * acquired.
   */
  private static LeaseChange closedOrLifted(DecisionContext context, LeaseRecord after) {
    LeaseChange.Kind kind =
        after.closure().isPresent() ? LeaseChange.Kind.REVOKED : LeaseChange.Kind.RELEASED;
    return context.change(kind, after.last());
  }

  private static Decision.Put endedBy(
      DecisionContext context, Command.Revoke command, LeaseRecord closed, Grant grant) {
    long now = context.nowMillis();
    LossReason reason = new LossReason.Revoked(command.by().name(), command.why().text());
    long barMillis = Math.max(grant.terms().ttlMillis(), Limits.MIN_BAR_MILLIS);
    Bar bar = new Bar(grant.instanceId(), command.why().text(), now + barMillis);
    return Decision.Put.of(
            closed
                .withGrant(grant.withStanding(LeaseRules.ended(reason, now)), now)
                .withBar(Optional.of(bar)))
        .telling(context.change(LeaseChange.Kind.REVOKED, grant.token()));
  }

  private static Optional<Closure> closureInForce(DecisionContext context) {
    return context.record().closure().filter(c -> c.isInForce(context.nowMillis()));
  }

  /**
   * A key that is closed until an operator acts stays closed, even if the command asks for an
   * earlier reopening.
   */
  private static Optional<Closure> closureAfter(DecisionContext context, Command.Revoke command) {
    Optional<Closure> inForce = closureInForce(context);
    if (inForce.isPresent() && inForce.get().untilMillis().isEmpty()) {
      return inForce;
    }
    String why = command.why().text();
    return switch (command.reopening()) {
      case NOW -> Optional.empty();
      case BY_OPERATOR -> Optional.of(new Closure(why, OptionalLong.empty()));
      case AT_EXPIRY ->
          context
              .record()
              .currentGrant()
              .flatMap(g -> untilExpiry(g, why, context.nowMillis()))
              .or(() -> inForce);
    };
  }

  /** Closes the key while the holder of an ended grant may still trust it. */
  static Optional<Closure> untilExpiry(Grant grant, String why, long nowMillis) {
    return nowMillis < grant.expiresAtMillis()
        ? Optional.of(new Closure(why, OptionalLong.of(grant.expiresAtMillis())))
        : Optional.empty();
  }

  /** Whether the holder may not know that its grant ended. A holder that released it knows. */
  private static boolean wasTakenAway(Grant grant) {
    return LeaseRules.endOf(grant)
        .filter(r -> r instanceof LossReason.Revoked || r instanceof LossReason.Stalled)
        .isPresent();
  }

  /**
   * Ends a closure that only an operator can end. The revoked holder may trust its lease until its
   * old expiry, so the key stays closed until then; an operator who needs it at once revokes {@code
   * now}.
   */
  static Decision reopen(DecisionContext context, Command.Reopen command) {
    Caller caller = new Caller.ByOperator(command.by());
    if (context.isRepeat(command.requestId(), caller, REOPEN)) {
      return Decision.unchanged(new Outcome.Reopened());
    }
    Optional<Closure> closed = closureInForce(context).filter(c -> c.untilMillis().isEmpty());
    if (closed.isEmpty()) {
      return Decision.unchanged(new Outcome.NotClosed());
    }
    long now = context.nowMillis();
    Optional<Closure> left =
        context
            .record()
            .grant()
            .filter(OperatorRules::wasTakenAway)
            .flatMap(g -> untilExpiry(g, closed.get().reason(), now));
    LeaseRecord open = context.record().withClosure(left).writtenAt(now);
    Remembered.Request request = new Remembered.Request(command.requestId(), caller, REOPEN);
    return Decision.of(
        new Outcome.Reopened(),
        Decision.Put.of(open)
            .remembering(new Remembered(request, open.last(), now))
            .telling(context.change(LeaseChange.Kind.RELEASED, open.last())));
  }

  /**
   * Forgets a key when nothing can depend on its record any more: no grant, closure or bar is in
   * force and no request may be repeated, and this has been so for the given time. A key whose
   * counter is used up is kept: as a floor, its token would stop every other key of the bucket.
   */
  static Decision purge(DecisionContext context, Command.Purge command) {
    LeaseRecord record = context.record();
    boolean closedForGood = record.closure().filter(c -> c.untilMillis().isEmpty()).isPresent();
    boolean usedUp = record.last().counter() == Token.MAX_COUNTER;
    if (record.isBlank() || closedForGood || usedUp) {
      return Decision.unchanged(new Outcome.Kept());
    }
    long quietMillis = Math.max(command.deadForMillis(), context.limits().memoryMillis());
    if (context.nowMillis() - lastMattered(record) < quietMillis) {
      return Decision.unchanged(new Outcome.Kept());
    }
    return Decision.of(new Outcome.Purged(record.last()), new Decision.Delete(record.last()));
  }

  /** The grant whose holder may not know that it ended: an advance does not notify holders. */
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
