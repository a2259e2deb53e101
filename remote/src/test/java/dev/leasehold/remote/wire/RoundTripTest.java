package dev.leasehold.remote.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Bar;
import dev.leasehold.kernel.model.Closure;
import dev.leasehold.kernel.model.Explanation;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.HolderInfo;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.model.LossReason;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.Progress;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.StallLimit;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Command.Reopening;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.LeasePage;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.remote.api.LeaseApi;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class RoundTripTest {
  private static final LeaseKey KEY = new LeaseKey("lock/a");
  private static final Token TOKEN = Token.of(3, 7);
  private static final Instance ME = Instance.random();
  private static final Instance OTHER = Instance.random();
  private static final RequestId REQUEST = new RequestId("r-1");
  private static final Terms TERMS =
      new Terms(
          new HolderInfo("höst \"1\"", "outbox", "eu", Map.of("a", "b\\")),
          30_000,
          new StallLimit(5_000));
  private static final Grant GRANT =
      new Grant(TOKEN, ME.id(), REQUEST, TERMS, 1, 2, 3, new Progress(4, 5), Standing.OPEN);

  private static final List<LossReason> REASONS =
      List.of(
          new LossReason.Superseded("x", TOKEN),
          new LossReason.Expired(),
          new LossReason.Released(),
          new LossReason.Revoked("op", "why"),
          new LossReason.Stalled(),
          new LossReason.NotHolder(),
          new LossReason.Unknown(),
          LossReason.Unknown.after(TOKEN),
          new LossReason.IncarnationAdvanced(),
          new LossReason.Unreachable(),
          new LossReason.Broken("what"));

  @Test
  void everyCommandOfAClientComesBackAsItWas() {
    Operator operator = new Operator("op");
    List<Command> commands =
        List.of(
            new Command.Acquire(KEY, ME, REQUEST, TERMS, Optional.empty()),
            Command.Acquire.of(KEY, ME, REQUEST, TERMS).expecting(OTHER.id(), TOKEN),
            new Command.Abandon(KEY, ME, REQUEST),
            Command.Renew.of(KEY, TOKEN, ME),
            new Command.Renew(KEY, TOKEN, ME, OptionalLong.of(500), 9),
            new Command.Release(KEY, TOKEN, ME, REQUEST),
            new Command.HandOver(KEY, TOKEN, ME, REQUEST, new Command.Heir("heir", OTHER.id())),
            revoke(operator, Reopening.AT_EXPIRY),
            revoke(operator, Reopening.NOW),
            revoke(operator, Reopening.BY_OPERATOR),
            new Command.Reopen(KEY, operator, REQUEST));
    byte[] bytes = Json.write(out -> Commands.writeBatch(out, commands));
    assertThat(
            Commands.readBatch(
                JsonIn.of(bytes), name -> new Operator(name.orElse("nobody")), (verb, key) -> {}))
        .isEqualTo(commands);
    Declared.check(LeaseApi.COMMANDS, Json.read(bytes));
  }

  private static Command revoke(Operator operator, Reopening reopening) {
    return new Command.Revoke(KEY, operator, new Explanation("why"), reopening, REQUEST);
  }

  @Test
  void everyOutcomeForAClientComesBackAsItWas() {
    List<Outcome> outcomes =
        new java.util.ArrayList<>(
            List.of(
                new Outcome.Granted(GRANT, 12),
                new Outcome.Held("x", OTHER.id(), TOKEN, 13),
                new Outcome.Held("x", OTHER.id(), TOKEN, 13, Optional.of("a session")),
                new Outcome.Closed("shut", OptionalLong.of(14)),
                new Outcome.Closed("shut", OptionalLong.empty()),
                new Outcome.Changed(),
                new Outcome.Abandoned(),
                new Outcome.Renewed(15),
                new Outcome.Released(),
                new Outcome.HandedOver(TOKEN)));
    outcomes.addAll(
        List.of(
            new Outcome.Revoked(TOKEN),
            new Outcome.Free(),
            new Outcome.Reopened(),
            new Outcome.NotClosed(),
            new Outcome.Rejected("no"),
            new Outcome.Failed(Certainty.NOT_APPLIED, "away"),
            new Outcome.Failed(Certainty.UNKNOWN, "away")));
    REASONS.forEach(reason -> outcomes.add(new Outcome.Lost(reason)));
    REASONS.forEach(reason -> outcomes.add(new Outcome.Ended(TOKEN, reason)));
    List<Command> commands =
        outcomes.stream().<Command>map(o -> Command.Renew.of(KEY, TOKEN, ME)).toList();
    byte[] bytes = Json.write(out -> Outcomes.writeResults(out, commands, outcomes, Detail.RECORD));
    assertThat(Outcomes.readResults(Json.read(bytes), outcomes.size())).isEqualTo(outcomes);
    Declared.check(LeaseApi.RESULTS, Json.read(bytes));
  }

  @Test
  void recordsComeBackAsTheyWereAndShowNoSecret() {
    List<LeaseReading> readings =
        List.of(
            new LeaseReading(record(GRANT), 2),
            new LeaseReading(record(GRANT.withStanding(Standing.LAPSED)), 99),
            new LeaseReading(
                record(
                    GRANT.withStanding(new Standing.Ended(new LossReason.Revoked("op", "why"), 6))),
                99),
            new LeaseReading(
                record(GRANT)
                    .withClosure(Optional.of(new Closure("shut", OptionalLong.of(100))))
                    .withBar(Optional.of(new Bar(OTHER.id(), "barred", 101))),
                99));
    LeasePage page = new LeasePage(readings, Optional.of(KEY));
    byte[] bytes = Json.write(out -> Readings.writePage(out, page, Detail.RECORD));
    assertThat(Readings.readPage(Json.read(bytes))).isEqualTo(page);
    Declared.check(LeaseApi.PAGE, Json.read(bytes));
    assertThat(new String(bytes, StandardCharsets.UTF_8)).doesNotContain(ME.secret());
  }

  private static LeaseRecord record(Grant grant) {
    return LeaseRecord.blank(KEY, TOKEN).withGrant(grant, 8);
  }

  @Test
  void changesComeBackAsTheyWereAndUnknownOnesAreNone() {
    for (LeaseChange.Kind kind : LeaseChange.Kind.values()) {
      LeaseChange change = new LeaseChange(kind, KEY, TOKEN);
      assertThat(
              Changes.OF_LEASES.read(
                  Changes.OF_LEASES.event(change), Changes.OF_LEASES.data(change)))
          .contains(change);
    }
    assertThat(Changes.OF_LEASES.read("repainted", new byte[0])).isEmpty();
  }
}
