package dev.leasehold.testkit.defects;

import static dev.leasehold.testkit.defects.Alter.after;
import static dev.leasehold.testkit.defects.Alter.changeGrant;
import static dev.leasehold.testkit.defects.Alter.forgettingVerb;
import static dev.leasehold.testkit.defects.Alter.misread;
import static dev.leasehold.testkit.defects.Alter.misreadRecord;
import static dev.leasehold.testkit.defects.Alter.rewritten;
import static dev.leasehold.testkit.defects.Alter.with;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Bar;
import dev.leasehold.kernel.model.Closure;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.rules.Decision;
import dev.leasehold.kernel.rules.KeyState;
import dev.leasehold.kernel.rules.Remembered;
import dev.leasehold.kernel.rules.Remembered.Verb;
import dev.leasehold.kernel.rules.RequestMemory;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.testkit.model.Rules;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** What can go wrong with revoking, reopening, purging, remembering and the time of a record. */
final class OperatorsDefects {
  private OperatorsDefects() {}

  static Stream<Defect> all() {
    return Stream.of(revoking(), purging(), keepingRecords()).flatMap(List::stream);
  }

  private static List<Defect> revoking() {
    return List.of(
        Defect.inRules(
            "a revoked grant stays current",
            after(
                Command.Revoke.class,
                (asked, sound) ->
                    rewritten(sound, r -> changeGrant(r, g -> asked.grant().orElse(g))))),
        Defect.inRules(
            "a revocation leaves no void token",
            after(
                Command.Revoke.class,
                (asked, sound) ->
                    rewritten(sound, r -> r.withLast(asked.state().record().last())))),
        Defect.inRules(
            "a revocation bars for thirty seconds, whatever the ttl",
            after(
                Command.Revoke.class,
                (asked, sound) ->
                    rewritten(sound, r -> barredUntil(r, asked.nowMillis() + 30_000)))),
        Defect.inRules(
            "a revocation lifts what an operator closed",
            misread(
                Command.Revoke.class,
                asked ->
                    asked.command().reopening() == Command.Reopening.NOW
                        ? with(asked.state(), closedForAWhile(asked.state().record()))
                        : asked.state())),
        Defect.inRules("a repeated revocation is not known", forgettingVerb(Verb.REVOKE)),
        Defect.inRules("a repeated reopening is not known", forgettingVerb(Verb.REOPEN)),
        Defect.inRules(
            "a reopening lifts the bar too",
            Alter.rewrite(Command.Reopen.class, r -> r.withBar(Optional.empty()))));
  }

  private static LeaseRecord barredUntil(LeaseRecord record, long untilMillis) {
    return record.withBar(
        record.bar().map(bar -> new Bar(bar.instanceId(), bar.reason(), untilMillis)));
  }

  private static LeaseRecord closedForAWhile(LeaseRecord record) {
    OptionalLong later = OptionalLong.of(Long.MAX_VALUE);
    return record.withClosure(record.closure().map(c -> new Closure(c.reason(), later)));
  }

  private static List<Defect> purging() {
    return List.of(
        Defect.inRules(
            "a purge forgets the floor",
            after(
                Command.Purge.class,
                (asked, sound) ->
                    sound.effect() instanceof Decision.Delete
                        ? with(sound, new Decision.Delete(Token.of(1, 0)))
                        : sound)),
        Defect.inRules(
            "a purge deletes what may still be repeated",
            (state, command, clockMillis, limits) ->
                Rules.sound()
                    .decide(
                        state,
                        command,
                        command instanceof Command.Purge
                            ? clockMillis + Limits.MIN_MEMORY_MILLIS
                            : clockMillis,
                        limits)),
        Defect.inRules(
            "a purge does not wait for the bar",
            misreadRecord(Command.Purge.class, r -> r.withBar(Optional.empty()))),
        Defect.inRules(
            "a purge takes keys that an operator closed",
            misreadRecord(
                Command.Purge.class,
                r -> r.withClosure(r.closure().filter(c -> c.untilMillis().isPresent())))));
  }

  private static List<Defect> keepingRecords() {
    return List.of(
        Defect.inRules(
            "a token from nowhere closes the key",
            after(
                Command.Renew.class,
                (asked, sound) ->
                    sound.unissued().isPresent() && !asked.state().record().isBlank()
                        ? with(
                            sound,
                            new Decision.Put(
                                asked
                                    .state()
                                    .record()
                                    .withClosure(
                                        Optional.of(new Closure("rollback", OptionalLong.empty()))),
                                Optional.empty(),
                                Optional.empty(),
                                List.of()))
                        : sound)),
        Defect.inRules(
            "a token from nowhere is not counted",
            after(
                Command.class,
                (asked, sound) ->
                    new Decision(
                        sound.outcome(), sound.effect(), Optional.empty(), sound.followUp()))),
        Defect.inRules(
            "a record's time goes back with the clock",
            misreadRecord(Command.class, r -> r.isBlank() ? r : r.writtenAt(1))),
        Defect.inRules(
            "how earlier grants ended is not remembered",
            misread(Command.class, asked -> withoutEndings(asked.state()))),
        Defect.inRules(
            "a grant that has ended can be renewed when no other followed",
            misreadRecord(
                Command.Renew.class,
                r ->
                    changeGrant(
                        r, g -> r.last().equals(g.token()) ? g.withStanding(Standing.OPEN) : g))));
  }

  private static KeyState withoutEndings(KeyState state) {
    RequestMemory memory = state.memory();
    RequestMemory worse =
        new RequestMemory() {
          @Override
          public Optional<Remembered> effectOf(Remembered.Request request) {
            return memory.effectOf(request);
          }

          @Override
          public Optional<LossReason> endOf(Token token) {
            return Optional.empty();
          }
        };
    return new KeyState(state.record(), state.storeIncarnation(), worse);
  }
}
