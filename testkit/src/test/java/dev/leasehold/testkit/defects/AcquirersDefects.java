package dev.leasehold.testkit.defects;

import static dev.leasehold.testkit.defects.Alter.after;
import static dev.leasehold.testkit.defects.Alter.forgetting;
import static dev.leasehold.testkit.defects.Alter.forgettingVerb;
import static dev.leasehold.testkit.defects.Alter.misread;
import static dev.leasehold.testkit.defects.Alter.misreadRecord;
import static dev.leasehold.testkit.defects.Alter.rewritten;
import static dev.leasehold.testkit.defects.Alter.unchanged;
import static dev.leasehold.testkit.defects.Alter.with;
import static dev.leasehold.testkit.defects.Alter.withGrant;

import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.rules.Decision;
import dev.leasehold.kernel.rules.KeyState;
import dev.leasehold.kernel.rules.Remembered.Verb;
import dev.leasehold.kernel.rules.StoreIncarnation;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.testkit.model.Rules;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What can go wrong with acquiring, repeating and abandoning. */
final class AcquirersDefects {
  private static final long A_MINUTE = Duration.ofMinutes(1).toMillis();

  private AcquirersDefects() {}

  static Stream<Defect> all() {
    return Stream.of(granting(), expecting(), repeating(), abandoning()).flatMap(List::stream);
  }

  private static List<Defect> granting() {
    return List.of(
        Defect.inRules(
            "a closed key is granted",
            misreadRecord(Command.Acquire.class, record -> record.withClosure(Optional.empty()))),
        Defect.inRules(
            "a barred instance acquires",
            misreadRecord(Command.Acquire.class, record -> record.withBar(Optional.empty()))),
        Defect.inRules(
            "the hold-off after an advance is not kept",
            misread(
                Command.Acquire.class,
                asked ->
                    with(
                        asked.state(),
                        new StoreIncarnation(asked.state().storeIncarnation().incarnation(), 0)))),
        Defect.inRules(
            "new tokens do not have the advanced incarnation",
            misread(Command.Acquire.class, asked -> inTheOldIncarnation(asked.state()))),
        Defect.inRules(
            "a takeover comes a moment before expiry",
            misread(
                Command.Acquire.class,
                asked ->
                    withGrant(
                        asked.state(),
                        g ->
                            g.isCurrent() && g.expiresAtMillis() == asked.nowMillis() + 1
                                ? g.withStanding(Standing.LAPSED)
                                : g))),
        Defect.inRules(
            "a refused acquire touches the record",
            after(
                Command.Acquire.class,
                (asked, sound) ->
                    sound.outcome() instanceof Outcome.Held ? touching(asked, sound) : sound)),
        Defect.inRules(
            "a takeover drops another instance's bar",
            after(
                Command.Acquire.class,
                (asked, sound) -> rewritten(sound, r -> r.withBar(Optional.empty())))));
  }

  private static KeyState inTheOldIncarnation(KeyState state) {
    int issued = state.record().last().incarnation();
    int incarnation = Math.min(issued, state.storeIncarnation().incarnation());
    return with(
        state, new StoreIncarnation(incarnation, state.storeIncarnation().heldOffUntilMillis()));
  }

  private static Decision touching(Alter.Asked<Command.Acquire> asked, Decision sound) {
    LeaseRecord touched = asked.state().record().writtenAt(asked.nowMillis());
    return with(sound, new Decision.Put(touched, Optional.empty(), Optional.empty(), List.of()));
  }

  private static List<Defect> expecting() {
    return List.of(
        Defect.inRules(
            "an expectation ignores the token",
            (state, command, clockMillis, limits) ->
                Rules.sound()
                    .decide(
                        state,
                        command instanceof Command.Acquire acquire
                            ? expectingAnyToken(state, acquire)
                            : command,
                        clockMillis,
                        limits)),
        Defect.inRules(
            "an expected grant is taken over before it has expired",
            misread(
                Command.Acquire.class,
                asked ->
                    asked.command().expected().isEmpty()
                        ? asked.state()
                        : withGrant(
                            asked.state(),
                            g -> g.isCurrent() ? g.withStanding(Standing.LAPSED) : g))));
  }

  private static Command.Acquire expectingAnyToken(KeyState state, Command.Acquire acquire) {
    Optional<Grant> found = state.record().grant();
    return acquire.expected().isEmpty() || found.isEmpty()
        ? acquire
        : acquire.expecting(acquire.expected().get().instanceId(), found.get().token());
  }

  private static List<Defect> repeating() {
    return List.of(
        Defect.inRules(
            "a repeated acquire is granted twice",
            misread(Command.Acquire.class, AcquirersDefects::asIfNew)),
        Defect.inRules("a repeated acquire is not known", forgettingVerb(Verb.ACQUIRE)),
        Defect.inRules(
            "a repeat answers with the full ttl",
            after(
                Command.Acquire.class,
                (asked, sound) ->
                    sound.outcome() instanceof Outcome.Granted granted
                        ? with(
                            sound,
                            new Outcome.Granted(
                                granted.grant(), granted.grant().terms().ttlMillis()))
                        : sound)),
        Defect.inRules(
            "requests are forgotten after a minute",
            misread(
                Command.class,
                asked ->
                    forgetting(
                        asked.state(), known -> asked.nowMillis() - known.atMillis() > A_MINUTE))));
  }

  private static KeyState asIfNew(Alter.Asked<Command.Acquire> asked) {
    KeyState forgetful = forgetting(asked.state(), known -> known.request().verb() == Verb.ACQUIRE);
    return withGrant(
        forgetful,
        g ->
            g.isCurrent()
                    && g.requestId().equals(asked.command().requestId())
                    && g.instanceId().equals(asked.command().instance().id())
                ? g.withStanding(Standing.LAPSED)
                : g);
  }

  private static List<Defect> abandoning() {
    return List.of(
        Defect.inRules(
            "an abandon that comes before its acquire is forgotten",
            after(
                Command.Abandon.class,
                (asked, sound) ->
                    sound.effect() instanceof Decision.Put put && put.changes().isEmpty()
                        ? unchanged(sound)
                        : sound)),
        Defect.inRules(
            "an abandon does not release what was granted",
            after(
                Command.Abandon.class,
                (asked, sound) ->
                    rewritten(
                        sound, record -> asked.state().record().writtenAt(asked.nowMillis())))),
        Defect.inRules(
            "an abandon releases whatever its instance holds",
            misread(
                Command.Abandon.class,
                asked ->
                    withGrant(
                        asked.state(), g -> Alter.withRequest(g, asked.command().requestId())))),
        Defect.inRules("a repeated abandon is not known", forgettingVerb(Verb.ABANDON)));
  }
}
