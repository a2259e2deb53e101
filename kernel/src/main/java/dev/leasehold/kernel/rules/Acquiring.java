package dev.leasehold.kernel.rules;

import static dev.leasehold.kernel.rules.Remembered.Verb.ABANDON;
import static dev.leasehold.kernel.rules.Remembered.Verb.ACQUIRE;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Grant;
import dev.leasehold.kernel.LeaseRecord;
import dev.leasehold.kernel.LossReason;
import dev.leasehold.kernel.Progress;
import dev.leasehold.kernel.Standing;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.Outcome;
import java.util.Optional;
import java.util.OptionalLong;

/** Coming into a grant, and giving up the attempt. */
final class Acquiring {
  private Acquiring() {}

  static Decision acquire(Scene scene, Command.Acquire command) {
    scene.limits().requireTtl(command.terms().ttlMillis());
    Caller caller = new Caller.Holder(command.instance().id());
    Optional<Remembered> earlier = scene.effectOf(command.requestId(), caller, ACQUIRE);
    if (earlier.isPresent()) {
      return repeated(scene, earlier.get().token());
    }
    if (scene.isRepeat(command.requestId(), caller, ABANDON)) {
      return Decision.unchanged(new Outcome.Abandoned());
    }
    Optional<Outcome> refusal =
        closed(scene, command).or(() -> changed(scene, command)).or(() -> held(scene));
    return refusal
        .map(outcome -> refused(scene, command, outcome))
        .orElseGet(() -> grant(scene, command, caller));
  }

  /** Who expects a token that was never issued here has read it before the store lost it. */
  private static Decision refused(Scene scene, Command.Acquire command, Outcome outcome) {
    Optional<Token> expected = command.expected().map(Command.Expected::token);
    return Decision.unchanged(outcome).bringing(expected.flatMap(scene::unissued));
  }

  /** The same request again: the same token, or what became of its grant. Nothing is done twice. */
  private static Decision repeated(Scene scene, Token token) {
    Optional<Grant> current = scene.record().currentGrant().filter(g -> g.token().equals(token));
    if (current.isEmpty()) {
      return Decision.unchanged(new Outcome.Ended(token, scene.lossOf(token)));
    }
    Grant grant = current.get();
    if (grant.isUnexpired(scene.nowMillis())) {
      return Decision.unchanged(
          new Outcome.Granted(grant, grant.remainingMillis(scene.nowMillis())));
    }
    return Holding.lapse(scene, grant, new Outcome.Ended(token, new LossReason.Expired()));
  }

  private static Optional<Outcome> closed(Scene scene, Command.Acquire command) {
    long now = scene.nowMillis();
    if (scene.heldOffMillis() > 0) {
      return Optional.of(
          new Outcome.Closed(
              "the incarnation was advanced, or the store made anew, and holders from before may"
                  + " still trust their leases",
              OptionalLong.of(scene.heldOffMillis())));
    }
    return scene
        .record()
        .closure()
        .filter(c -> c.isInForce(now))
        .<Outcome>map(c -> new Outcome.Closed(c.reason(), c.remainingMillis(now)))
        .or(() -> Holding.barred(scene, command.instance().id()));
  }

  private static Optional<Outcome> changed(Scene scene, Command.Acquire command) {
    boolean asExpected =
        command
            .expected()
            .map(expected -> scene.record().currentGrant().filter(g -> is(g, expected)).isPresent())
            .orElse(true);
    return asExpected ? Optional.empty() : Optional.of(new Outcome.Changed());
  }

  private static boolean is(Grant grant, Command.Expected expected) {
    return grant.token().equals(expected.token())
        && grant.instanceId().equals(expected.instanceId());
  }

  private static Optional<Outcome> held(Scene scene) {
    return scene
        .record()
        .currentGrant()
        .filter(g -> g.isUnexpired(scene.nowMillis()))
        .map(
            g ->
                new Outcome.Held(
                    g.terms().info().holder(),
                    g.instanceId(),
                    g.token(),
                    g.remainingMillis(scene.nowMillis())));
  }

  private static Decision grant(Scene scene, Command.Acquire command, Caller caller) {
    long now = scene.nowMillis();
    Grant grant =
        new Grant(
            scene.nextToken(),
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
        outcome, succession(scene, grant).remembering(new Remembered(request, grant.token(), now)));
  }

  /** A new grant takes the place of whatever was there, at once and with a higher token. */
  static Decision.Put succession(Scene scene, Grant next) {
    long now = scene.nowMillis();
    LeaseRecord record =
        scene
            .record()
            .withGrant(next, now)
            .withLast(next.token())
            .withClosure(Optional.empty())
            .withBar(scene.record().bar().filter(b -> now < b.untilMillis()));
    LeaseChange granted = scene.change(LeaseChange.Kind.GRANTED, next.token());
    Decision.Put put = Decision.Put.of(record).ending(scene.endingBefore(next));
    return scene
        .record()
        .currentGrant()
        .map(old -> scene.change(LeaseChange.Kind.SUPERSEDED, old.token()))
        .map(superseded -> put.telling(superseded, granted))
        .orElseGet(() -> put.telling(granted));
  }

  /**
   * Always succeeds. What the request was granted is released; if its acquire has not come yet, the
   * memory of this keeps it from being granted when it does.
   */
  static Decision abandon(Scene scene, Command.Abandon command) {
    Caller caller = new Caller.Holder(command.instance().id());
    if (scene.isRepeat(command.requestId(), caller, ABANDON)) {
      return Decision.unchanged(new Outcome.Abandoned());
    }
    long now = scene.nowMillis();
    Optional<Grant> granted =
        scene
            .record()
            .currentGrant()
            .filter(g -> g.requestId().equals(command.requestId()))
            .filter(g -> g.instanceId().equals(command.instance().id()));
    Decision.Put put =
        granted
            .map(g -> Holding.released(scene, g))
            .orElseGet(() -> Decision.Put.of(scene.record().writtenAt(now)));
    Remembered.Request request = new Remembered.Request(command.requestId(), caller, ABANDON);
    Remembered tombstone = new Remembered(request, put.record().last(), now);
    return Decision.of(new Outcome.Abandoned(), put.remembering(tombstone));
  }
}
