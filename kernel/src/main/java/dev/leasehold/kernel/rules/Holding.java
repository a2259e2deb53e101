package dev.leasehold.kernel.rules;

import static dev.leasehold.kernel.rules.Remembered.Verb.HAND_OVER;
import static dev.leasehold.kernel.rules.Remembered.Verb.RELEASE;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.Grant;
import dev.leasehold.kernel.HolderInfo;
import dev.leasehold.kernel.InstanceId;
import dev.leasehold.kernel.LossReason;
import dev.leasehold.kernel.Progress;
import dev.leasehold.kernel.Standing;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.Outcome;
import java.util.Optional;
import java.util.OptionalLong;

/** What a holder does with its own grant. */
final class Holding {
  private Holding() {}

  static Decision renew(Scene scene, Command.Renew command) {
    command.ttlMillis().ifPresent(scene.limits()::requireTtl);
    return switch (scene.claim(command.token(), command.instance().id())) {
      case Scene.Foreign foreign -> lost(foreign);
      case Scene.Own own -> renewOwn(scene, command, own.grant());
    };
  }

  private static Decision renewOwn(Scene scene, Command.Renew command, Grant grant) {
    long now = scene.nowMillis();
    if (!grant.isUnexpired(now)) {
      return lapse(scene, grant, new Outcome.Lost(new LossReason.Expired()));
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
        Decision.Put.of(scene.record().withGrant(renewed, now)));
  }

  /** Closes an expired grant to renewal for good: somebody is about to be told that it is over. */
  static Decision lapse(Scene scene, Grant grant, Outcome told) {
    if (grant.standing() instanceof Standing.Lapsed) {
      return Decision.unchanged(told);
    }
    Grant lapsed = grant.withStanding(Standing.LAPSED);
    return Decision.of(
        told,
        Decision.Put.of(scene.record().withGrant(lapsed, scene.nowMillis()))
            .telling(scene.change(LeaseChange.Kind.EXPIRED, grant.token())));
  }

  static Decision release(Scene scene, Command.Release command) {
    Caller caller = new Caller.Holder(command.instance().id());
    if (scene.isRepeat(command.requestId(), caller, RELEASE)) {
      return Decision.unchanged(new Outcome.Released());
    }
    return switch (scene.claim(command.token(), command.instance().id())) {
      case Scene.Foreign foreign -> lost(foreign);
      case Scene.Own own -> {
        Remembered.Request request = new Remembered.Request(command.requestId(), caller, RELEASE);
        Remembered done = new Remembered(request, command.token(), scene.nowMillis());
        yield Decision.of(new Outcome.Released(), released(scene, own.grant()).remembering(done));
      }
    };
  }

  /** The key is free at once; the record and its counter stay. */
  static Decision.Put released(Scene scene, Grant grant) {
    long now = scene.nowMillis();
    Grant ended = grant.withStanding(LeaseRules.ended(new LossReason.Released(), now));
    return Decision.Put.of(scene.record().withGrant(ended, now))
        .telling(scene.change(LeaseChange.Kind.RELEASED, grant.token()));
  }

  static Decision handOver(Scene scene, Command.HandOver command) {
    Caller caller = new Caller.Holder(command.instance().id());
    Optional<Remembered> earlier = scene.effectOf(command.requestId(), caller, HAND_OVER);
    if (earlier.isPresent()) {
      return Decision.unchanged(new Outcome.HandedOver(earlier.get().token()));
    }
    return switch (scene.claim(command.token(), command.instance().id())) {
      case Scene.Foreign foreign -> lost(foreign);
      case Scene.Own own ->
          barred(scene, command.heir().instanceId())
              .map(Decision::unchanged)
              .orElseGet(() -> handOverOwn(scene, command, own.grant()));
    };
  }

  private static Decision handOverOwn(Scene scene, Command.HandOver command, Grant given) {
    long now = scene.nowMillis();
    HolderInfo giver = given.terms().info();
    // The heir's region is its own business, and its request is the hand-over: were the giver's
    // kept, the giver's abandoned or repeated acquire would reach the heir's grant.
    HolderInfo heir =
        new HolderInfo(command.heir().holder(), giver.purpose(), "", giver.attributes());
    Grant inherited =
        new Grant(
            scene.nextToken(),
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
        Acquiring.succession(scene, inherited).remembering(new Remembered(request, token, now)));
  }

  /** An instance whose grant was revoked cannot come back at once, by acquiring or as an heir. */
  static Optional<Outcome> barred(Scene scene, InstanceId candidate) {
    long now = scene.nowMillis();
    return scene
        .record()
        .bar()
        .filter(bar -> bar.stops(candidate, now))
        .map(bar -> new Outcome.Closed(bar.reason(), OptionalLong.of(bar.untilMillis() - now)));
  }

  /** Decides a stall again, under the lock that ending needs, and then ends the grant for it. */
  static Decision endStalled(Scene scene, Command.EndStalled command) {
    return switch (scene.claim(command.token())) {
      case Scene.Foreign foreign -> lost(foreign);
      case Scene.Own own -> endIfStalled(scene, own.grant());
    };
  }

  private static Decision endIfStalled(Scene scene, Grant grant) {
    long now = scene.nowMillis();
    if (!grant.terms().stallLimit().isReached(grant.progress().movedAtMillis(), now)) {
      return Decision.unchanged(new Outcome.NotStalled(grant.remainingMillis(now)));
    }
    // The answer that told its holder may be lost: until the old expiry it may still trust.
    LossReason reason = new LossReason.Stalled();
    Grant ended = grant.withStanding(LeaseRules.ended(reason, now));
    return Decision.of(
        new Outcome.Lost(reason),
        Decision.Put.of(
                scene
                    .record()
                    .withGrant(ended, now)
                    .withLast(scene.nextToken())
                    .withClosure(Operating.untilExpiry(ended, "its holder stalled", now)))
            .telling(scene.change(LeaseChange.Kind.REVOKED, grant.token())));
  }

  private static Decision lost(Scene.Foreign foreign) {
    return Decision.unchanged(new Outcome.Lost(foreign.reason())).bringing(foreign.unissued());
  }
}
