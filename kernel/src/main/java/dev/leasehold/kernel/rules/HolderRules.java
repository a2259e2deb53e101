package dev.leasehold.kernel.rules;

import static dev.leasehold.kernel.rules.Remembered.Verb.HAND_OVER;
import static dev.leasehold.kernel.rules.Remembered.Verb.RELEASE;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.HolderInfo;
import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.Progress;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.Outcome;
import java.util.Optional;
import java.util.OptionalLong;

/** Decides the verbs of a holder on its own grant. */
final class HolderRules {
  private HolderRules() {}

  static Decision renew(DecisionContext context, Command.Renew command) {
    command.ttlMillis().ifPresent(context.limits()::requireTtl);
    return switch (context.claim(command.token(), command.instance().id())) {
      case DecisionContext.Foreign foreign -> lost(foreign);
      case DecisionContext.Own own -> renewOwn(context, command, own.grant());
    };
  }

  private static Decision renewOwn(DecisionContext context, Command.Renew command, Grant grant) {
    long now = context.nowMillis();
    if (!grant.isUnexpired(now)) {
      return lapse(context, grant, new Outcome.Lost(new LossReason.Expired()));
    }
    Progress progress = grant.progress().movedTo(command.progress(), now);
    if (grant.terms().stallLimit().isReached(progress.movedAtMillis(), now)) {
      return Decision.unchanged(new Outcome.Lost(new LossReason.Stalled()))
          .followedBy(new Command.EndStalled(command.key(), command.token()));
    }
    long ttlMillis = command.ttlMillis().orElse(grant.terms().ttlMillis());
    Grant renewed = grant.renewed(ttlMillis, progress, now);
    return Decision.of(
        new Outcome.Renewed(renewed.remainingMillis(now)),
        Decision.Put.of(context.record().withGrant(renewed, now)));
  }

  /**
   * Closes an expired grant to renewal for good, because a caller is about to learn that it is
   * over.
   */
  static Decision lapse(DecisionContext context, Grant grant, Outcome told) {
    if (grant.standing() instanceof Standing.Lapsed) {
      return Decision.unchanged(told);
    }
    Grant lapsed = grant.withStanding(Standing.LAPSED);
    return Decision.of(
        told,
        Decision.Put.of(context.record().withGrant(lapsed, context.nowMillis()))
            .telling(context.change(LeaseChange.Kind.EXPIRED, grant.token())));
  }

  static Decision release(DecisionContext context, Command.Release command) {
    Caller caller = new Caller.Holder(command.instance().id());
    if (context.isRepeat(command.requestId(), caller, RELEASE)) {
      return Decision.unchanged(new Outcome.Released());
    }
    return switch (context.claim(command.token(), command.instance().id())) {
      case DecisionContext.Foreign foreign -> lost(foreign);
      case DecisionContext.Own own -> {
        Remembered.Request request = new Remembered.Request(command.requestId(), caller, RELEASE);
        Remembered done = new Remembered(request, command.token(), context.nowMillis());
        yield Decision.of(new Outcome.Released(), released(context, own.grant()).remembering(done));
      }
    };
  }

  /** The key is free at once; the record and its counter stay. */
  static Decision.Put released(DecisionContext context, Grant grant) {
    long now = context.nowMillis();
    Grant ended = grant.withStanding(LeaseRules.ended(new LossReason.Released(), now));
    return Decision.Put.of(context.record().withGrant(ended, now))
        .telling(context.change(LeaseChange.Kind.RELEASED, grant.token()));
  }

  static Decision handOver(DecisionContext context, Command.HandOver command) {
    Caller caller = new Caller.Holder(command.instance().id());
    Optional<Remembered> earlier = context.effectOf(command.requestId(), caller, HAND_OVER);
    if (earlier.isPresent()) {
      return Decision.unchanged(new Outcome.HandedOver(earlier.get().token()));
    }
    return switch (context.claim(command.token(), command.instance().id())) {
      case DecisionContext.Foreign foreign -> lost(foreign);
      case DecisionContext.Own own ->
          barred(context, command.heir().instanceId())
              .map(Decision::unchanged)
              .orElseGet(() -> handOverOwn(context, command, own.grant()));
    };
  }

  private static Decision handOverOwn(
      DecisionContext context, Command.HandOver command, Grant given) {
    long now = context.nowMillis();
    HolderInfo giver = given.terms().info();
    // The heir states its own region, and its request is the hand-over. If the record kept the
    // giver's request, a repeated or abandoned acquire of the giver would reach the heir's grant.
    HolderInfo heir =
        new HolderInfo(command.heir().holder(), giver.purpose(), "", giver.attributes());
    Grant inherited =
        new Grant(
            context.nextToken(),
            command.heir().instanceId(),
            command.requestId(),
            given.terms().withInfo(heir),
            now,
            now,
            now + given.terms().ttlMillis(),
            Progress.startingAt(now),
            Standing.OPEN);
    Token token = inherited.token();
    Caller caller = new Caller.Holder(command.instance().id());
    Remembered.Request request = new Remembered.Request(command.requestId(), caller, HAND_OVER);
    return Decision.of(
        new Outcome.HandedOver(token),
        AcquireRules.succession(context, inherited)
            .remembering(new Remembered(request, token, now)));
  }

  /** An instance whose grant was revoked cannot come back at once, by acquiring or as an heir. */
  static Optional<Outcome> barred(DecisionContext context, InstanceId candidate) {
    long now = context.nowMillis();
    return context
        .record()
        .bar()
        .filter(bar -> bar.stops(candidate, now))
        .map(bar -> new Outcome.Closed(bar.reason(), OptionalLong.of(bar.untilMillis() - now)));
  }

  /** Decides a stall again, under the lock that ending needs, and then ends the grant for it. */
  static Decision endStalled(DecisionContext context, Command.EndStalled command) {
    return switch (context.claim(command.token())) {
      case DecisionContext.Foreign foreign -> lost(foreign);
      case DecisionContext.Own own -> endIfStalled(context, own.grant());
    };
  }

  private static Decision endIfStalled(DecisionContext context, Grant grant) {
    long now = context.nowMillis();
    if (!grant.terms().stallLimit().isReached(grant.progress().movedAtMillis(), now)) {
      return Decision.unchanged(new Outcome.NotStalled(grant.remainingMillis(now)));
    }
    // The answer to the holder may be lost, so the holder may trust its lease until the old expiry.
    LossReason reason = new LossReason.Stalled();
    Grant ended = grant.withStanding(LeaseRules.ended(reason, now));
    return Decision.of(
        new Outcome.Lost(reason),
        Decision.Put.of(
                context
                    .record()
                    .withGrant(ended, now)
                    .withLast(context.nextToken())
                    .withClosure(OperatorRules.untilExpiry(ended, "its holder stalled", now)))
            .telling(context.change(LeaseChange.Kind.REVOKED, grant.token())));
  }

  /** Ends a grant for good once it has expired; its holder has stopped to trust it by then. */
  static Decision endExpired(DecisionContext context, Command.EndExpired command) {
    return switch (context.claim(command.token())) {
      case DecisionContext.Foreign foreign -> lost(foreign);
      case DecisionContext.Own own -> endIfExpired(context, own.grant());
    };
  }

  private static Decision endIfExpired(DecisionContext context, Grant grant) {
    long now = context.nowMillis();
    if (grant.isUnexpired(now)) {
      return Decision.unchanged(new Outcome.NotExpired(grant.remainingMillis(now)));
    }
    LossReason reason = new LossReason.Expired();
    Grant ended = grant.withStanding(LeaseRules.ended(reason, now));
    return Decision.of(
        new Outcome.Lost(reason),
        Decision.Put.of(context.record().withGrant(ended, now).withLast(context.nextToken()))
            .telling(context.change(LeaseChange.Kind.EXPIRED, grant.token())));
  }

  private static Decision lost(DecisionContext.Foreign foreign) {
    return Decision.unchanged(new Outcome.Lost(foreign.reason())).bringing(foreign.unissued());
  }
}
