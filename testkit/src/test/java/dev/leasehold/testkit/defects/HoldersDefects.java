package dev.leasehold.testkit.defects;

import static dev.leasehold.testkit.defects.Alter.after;
import static dev.leasehold.testkit.defects.Alter.changeGrant;
import static dev.leasehold.testkit.defects.Alter.forgettingVerb;
import static dev.leasehold.testkit.defects.Alter.misread;
import static dev.leasehold.testkit.defects.Alter.rewritten;
import static dev.leasehold.testkit.defects.Alter.unchanged;
import static dev.leasehold.testkit.defects.Alter.with;
import static dev.leasehold.testkit.defects.Alter.withGrant;

import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.Progress;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.rules.Decision;
import dev.leasehold.kernel.rules.KeyState;
import dev.leasehold.kernel.rules.Remembered.Verb;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.testkit.model.Rules;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** What can go wrong with renewing, releasing, handing over and stalling. */
final class HoldersDefects {
  private HoldersDefects() {}

  static Stream<Defect> all() {
    return Stream.of(renewing(), giving(), endingExpired(), stalling()).flatMap(List::stream);
  }

  private static List<Defect> renewing() {
    return List.of(
        Defect.inRules(
            "a renewal revives an expired grant",
            misread(
                Command.Renew.class,
                asked ->
                    withGrant(
                        asked.state(), g -> g.isCurrent() ? alive(g, asked.nowMillis()) : g))),
        Defect.inRules(
            "a renewal at the very moment of expiry is in time",
            misread(
                Command.Renew.class,
                asked ->
                    withGrant(
                        asked.state(),
                        g ->
                            g.expiresAtMillis() == asked.nowMillis()
                                ? Alter.withExpiry(g, g.expiresAtMillis() + 1, g.standing())
                                : g))),
        Defect.inRules(
            "a late renewal leaves no mark, so a clock stepping back revives the grant",
            after(
                Command.Renew.class,
                (asked, sound) ->
                    sound.outcome() instanceof Outcome.Lost ? unchanged(sound) : sound)),
        Defect.inRules(
            "another instance renews", asTheHolder(Command.Renew.class, Command.Renew::instance)),
        Defect.inRules("a renewal with a shorter ttl cuts the grant short", shortening()),
        Defect.inRules(
            "a renewal gets a new token",
            after(
                Command.Renew.class,
                (asked, sound) ->
                    rewritten(sound, record -> record.withLast(record.last().next(0))))));
  }

  private static Grant alive(Grant grant, long nowMillis) {
    long expiry = Math.max(grant.expiresAtMillis(), nowMillis + 1);
    return Alter.withExpiry(grant, expiry, Standing.OPEN);
  }

  private static Rules shortening() {
    return after(
        Command.Renew.class,
        (asked, sound) ->
            sound.outcome() instanceof Outcome.Renewed
                ? rewritten(
                    sound,
                    record ->
                        changeGrant(
                            record,
                            g ->
                                Alter.withExpiry(
                                    g, g.renewedAtMillis() + g.terms().ttlMillis(), g.standing())))
                : sound);
  }

  /** Accepts any caller that brings the token as its holder, and keeps the holder on record. */
  private static <C extends Command> Rules asTheHolder(
      Class<C> kind, Function<C, Instance> instance) {
    return (state, command, clockMillis, limits) -> {
      if (!kind.isInstance(command)) {
        return Rules.sound().decide(state, command, clockMillis, limits);
      }
      InstanceId caller = instance.apply(kind.cast(command)).id();
      KeyState fooled = withGrant(state, g -> Alter.withInstance(g, caller));
      Decision decision = Rules.sound().decide(fooled, command, clockMillis, limits);
      Optional<InstanceId> holder = state.record().grant().map(Grant::instanceId);
      return rewritten(
          decision,
          record ->
              changeGrant(
                  record,
                  g ->
                      g.instanceId().equals(caller)
                          ? Alter.withInstance(g, holder.orElse(caller))
                          : g));
    };
  }

  private static List<Defect> giving() {
    return List.of(
        Defect.inRules(
            "a release resets the counter",
            after(
                Command.Release.class,
                (asked, sound) ->
                    rewritten(
                        sound,
                        record -> record.withLast(asked.state().storeIncarnation().floor())))),
        Defect.inRules(
            "another instance releases",
            asTheHolder(Command.Release.class, Command.Release::instance)),
        Defect.inRules(
            "a hand-over keeps the giver's request",
            after(
                Command.HandOver.class,
                (asked, sound) ->
                    rewritten(
                        sound,
                        record ->
                            changeGrant(
                                record,
                                g ->
                                    Alter.withRequest(
                                        g, asked.grant().orElseThrow().requestId()))))),
        Defect.inRules(
            "another instance hands over",
            asTheHolder(Command.HandOver.class, Command.HandOver::instance)),
        Defect.inRules(
            "a barred instance comes back as an heir",
            misread(
                Command.HandOver.class,
                asked -> with(asked.state(), asked.state().record().withBar(Optional.empty())))),
        Defect.inRulesForTheSuite(
            "watchers are not told of a release",
            after(Command.Release.class, (asked, sound) -> withoutHints(sound))),
        Defect.inRules("a repeated release is not known", forgettingVerb(Verb.RELEASE)),
        Defect.inRules("a repeated hand-over is not known", forgettingVerb(Verb.HAND_OVER)));
  }

  private static Decision withoutHints(Decision decision) {
    return decision.effect() instanceof Decision.Put put
        ? with(decision, new Decision.Put(put.record(), put.remembered(), put.ending(), List.of()))
        : decision;
  }

  private static List<Defect> endingExpired() {
    return List.of(
        Defect.inRules(
            "a grant is ended for its expiry before it has expired",
            misread(
                Command.EndExpired.class,
                asked ->
                    withGrant(
                        asked.state(), g -> g.isCurrent() ? g.withStanding(Standing.LAPSED) : g))),
        Defect.inRules(
            "an expired grant is not ended for good",
            after(
                Command.EndExpired.class,
                (asked, sound) ->
                    sound.outcome().equals(new Outcome.Lost(new LossReason.Expired()))
                        ? unchanged(sound)
                        : sound)),
        Defect.inRules(
            "an expired grant ends without a void token",
            after(
                Command.EndExpired.class,
                (asked, sound) ->
                    rewritten(sound, record -> record.withLast(asked.state().record().last())))));
  }

  private static List<Defect> stalling() {
    return List.of(
        Defect.inRules(
            "a stall never ends the grant",
            after(
                Command.EndStalled.class,
                (asked, sound) ->
                    sound.outcome().equals(new Outcome.Lost(new LossReason.Stalled()))
                        ? unchanged(sound)
                        : sound)),
        Defect.inRulesForTheSuite(
            "a store does not end stalled grants by itself", leavingTheEndingToOthers()),
        Defect.inRules(
            "a stall is never noticed",
            after(
                Command.Renew.class,
                (asked, sound) -> sound.followUp().isPresent() ? renewedAnyway(asked) : sound)),
        Defect.inRules(
            "a mark that is merely different counts as progress",
            misread(
                Command.Renew.class,
                asked -> withGrant(asked.state(), g -> lowered(g, asked.command().progress())))),
        Defect.inRules(
            "a stall leaves no void token",
            after(
                Command.EndStalled.class,
                (asked, sound) ->
                    rewritten(sound, record -> record.withLast(asked.state().record().last())))));
  }

  /** Not caught by itself, since the comparison sends the ending that this store leaves out. */
  static Defect endsStallsLater() {
    return Defect.inRules("ends stalls later", leavingTheEndingToOthers());
  }

  private static Rules leavingTheEndingToOthers() {
    return after(
        Command.Renew.class,
        (asked, sound) ->
            new Decision(sound.outcome(), sound.effect(), sound.unissued(), Optional.empty()));
  }

  private static Grant lowered(Grant grant, long brought) {
    Progress known = grant.progress();
    return brought == known.mark()
        ? grant
        : Alter.withProgress(grant, new Progress(brought - 1, known.movedAtMillis()));
  }

  private static Decision renewedAnyway(Alter.Asked<Command.Renew> asked) {
    Grant grant = asked.grant().orElseThrow();
    long ttlMillis = asked.command().ttlMillis().orElse(grant.terms().ttlMillis());
    Grant renewed = grant.renewed(ttlMillis, grant.progress(), asked.nowMillis());
    return new Decision(
        new Outcome.Renewed(renewed.remainingMillis(asked.nowMillis())),
        new Decision.Put(
            asked.state().record().withGrant(renewed, asked.nowMillis()),
            Optional.empty(),
            Optional.empty(),
            List.of()),
        Optional.empty(),
        Optional.empty());
  }
}
