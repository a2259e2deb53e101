package dev.leasehold.kernel.rules;

import static dev.leasehold.kernel.rules.Remembered.Verb.ABANDON;
import static dev.leasehold.kernel.rules.Remembered.Verb.ACQUIRE;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.Progress;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.Outcome;
import java.util.Optional;
import java.util.OptionalLong;

/** Decides the verbs that begin a grant, and the one that gives up the attempt. */
final class AcquireRules {
  private AcquireRules() {}

  static Decision acquire(DecisionContext context, Command.Acquire command) {
    context.limits().requireTtl(command.terms().ttlMillis());
    Caller caller = new Caller.Holder(command.instance().id());
    Optional<Remembered> earlier = context.effectOf(command.requestId(), caller, ACQUIRE);
    if (earlier.isPresent()) {
      return repeated(context, earlier.get().token());
    }
    if (context.isRepeat(command.requestId(), caller, ABANDON)) {
      return Decision.unchanged(new Outcome.Abandoned());
    }
    Optional<Outcome> refusal =
        closed(context, command).or(() -> changed(context, command)).or(() -> held(context));
    return refusal
        .map(outcome -> refused(context, command, outcome))
        .orElseGet(() -> grant(context, command, caller));
  }

  /** A caller that expects a token that was never issued here read it before the store lost it. */
  private static Decision refused(
      DecisionContext context, Command.Acquire command, Outcome outcome) {
    Optional<Token> expected = command.expected().map(Command.Expected::token);
    return Decision.unchanged(outcome).bringing(expected.flatMap(context::unissued));
  }

  /**
   * Answers a repeated request with its token, or with the reason why its grant ended. Nothing is
   * done twice.
   */
  private static Decision repeated(DecisionContext context, Token token) {
    Optional<Grant> current = context.record().currentGrant().filter(g -> g.token().equals(token));
    if (current.isEmpty()) {
      return Decision.unchanged(new Outcome.Ended(token, context.lossOf(token)));
    }
    Grant grant = current.get();
    if (grant.isUnexpired(context.nowMillis())) {
      return Decision.unchanged(
          new Outcome.Granted(grant, grant.remainingMillis(context.nowMillis())));
    }
    return HolderRules.lapse(context, grant, new Outcome.Ended(token, new LossReason.Expired()));
  }

  private static Optional<Outcome> closed(DecisionContext context, Command.Acquire command) {
    long now = context.nowMillis();
    if (context.heldOffMillis() > 0) {
      return Optional.of(
          new Outcome.Closed(
              "the incarnation was advanced, or the store made anew, and holders from before may"
                  + " still trust their leases",
              OptionalLong.of(context.heldOffMillis())));
    }
    return context
        .record()
        .closure()
        .filter(c -> c.isInForce(now))
        .<Outcome>map(c -> new Outcome.Closed(c.reason(), c.remainingMillis(now)))
        .or(() -> HolderRules.barred(context, command.instance().id()));
  }

  private static Optional<Outcome> changed(DecisionContext context, Command.Acquire command) {
    boolean asExpected =
        command
            .expected()
            .map(
                expected ->
                    context.record().currentGrant().filter(g -> is(g, expected)).isPresent())
            .orElse(true);
    return asExpected ? Optional.empty() : Optional.of(new Outcome.Changed());
  }

  private static boolean is(Grant grant, Command.Expected expected) {
    return grant.token().equals(expected.token())
        && grant.instanceId().equals(expected.instanceId());
  }

  private static Optional<Outcome> held(DecisionContext context) {
    return context
        .record()
        .currentGrant()
        .filter(g -> g.isUnexpired(context.nowMillis()))
        .map(
            g ->
                new Outcome.Held(
                    g.terms().info().holder(),
                    g.instanceId(),
                    g.token(),
                    g.remainingMillis(context.nowMillis())));
  }

  private static Decision grant(DecisionContext context, Command.Acquire command, Caller caller) {
    long now = context.nowMillis();
    Grant grant =
        new Grant(
            context.nextToken(),
            command.instance().id(),
            command.requestId(),
            command.terms(),
            now,
            now,
            now + command.terms().ttlMillis(),
            Progress.startingAt(now),
            Standing.OPEN);
    Remembered.Request request = new Remembered.Request(command.requestId(), caller, ACQUIRE);
    Outcome outcome = new Outcome.Granted(grant, command.terms().ttlMillis());
    return Decision.of(
        outcome,
        succession(context, grant).remembering(new Remembered(request, grant.token(), now)));
  }

  /** A new grant replaces the previous one at once, with a higher token. */
  static Decision.Put succession(DecisionContext context, Grant next) {
    long now = context.nowMillis();
    LeaseRecord record =
        context
            .record()
            .withGrant(next, now)
            .withLast(next.token())
            .withClosure(Optional.empty())
            .withBar(context.record().bar().filter(b -> now < b.untilMillis()));
    LeaseChange granted = context.change(LeaseChange.Kind.GRANTED, next.token());
    Decision.Put put = Decision.Put.of(record).ending(context.endingBefore(next));
    return context
        .record()
        .currentGrant()
        .map(old -> context.change(LeaseChange.Kind.SUPERSEDED, old.token()))
        .map(superseded -> put.telling(superseded, granted))
        .orElseGet(() -> put.telling(granted));
  }

  /**
   * Always succeeds. If the request was granted, its grant is released. If its acquire has not
   * arrived yet, the store remembers the abandonment and will not grant it.
   */
  static Decision abandon(DecisionContext context, Command.Abandon command) {
    Caller caller = new Caller.Holder(command.instance().id());
    if (context.isRepeat(command.requestId(), caller, ABANDON)) {
      return Decision.unchanged(new Outcome.Abandoned());
    }
    long now = context.nowMillis();
    Optional<Grant> granted =
        context
            .record()
            .currentGrant()
            .filter(g -> g.requestId().equals(command.requestId()))
            .filter(g -> g.instanceId().equals(command.instance().id()));
    Decision.Put put =
        granted
            .map(g -> HolderRules.released(context, g))
            .orElseGet(() -> Decision.Put.of(context.record().writtenAt(now)));
    Remembered.Request request = new Remembered.Request(command.requestId(), caller, ABANDON);
    Remembered tombstone = new Remembered(request, put.record().last(), now);
    return Decision.of(new Outcome.Abandoned(), put.remembering(tombstone));
  }
}
