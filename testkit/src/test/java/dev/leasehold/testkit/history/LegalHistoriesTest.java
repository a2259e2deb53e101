package dev.leasehold.testkit.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.testkit.history.Tally.Count;
import dev.leasehold.testkit.random.Seed;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Legal histories raise no alarm, whatever happens in them. */
class LegalHistoriesTest {
  private static final System.Logger LOG = System.getLogger(LegalHistoriesTest.class.getName());

  @Test
  void noSeedRaisesAFalseAlarm() {
    Seed seed = Seed.forTest("legal histories");
    Tally tally = new Tally();
    for (int i = 0; i < 200; i++) {
      LegalRun.Plan plan = new LegalRun.Plan(5_000, 1 + i % 10, 400);
      History history = History.of(LegalRun.generate(seed.nth(i).random(), plan));
      CheckResult verdict = HistoryChecks.check(history);
      assertThat(verdict.count()).as("%s, history %d: %s", seed, i, verdict).isZero();
      for (Count what : Count.values()) {
        tally.add(what, verdict.tally().of(what));
      }
    }
    LOG.log(Level.INFO, "200 legal histories: {0}", tally);
    for (Count what : Count.values()) {
      tally.requireAtLeast(what, 200);
    }
  }

  @Test
  void noSeedRaisesAFalseAlarmWhenOnlyCallsAreKnown() {
    Seed seed = Seed.forTest("legal histories, calls alone");
    for (int i = 0; i < 50; i++) {
      // Without faults: where a log is missing, what a rollback or a purge has done is unknown too.
      LegalRun.Plan plan = new LegalRun.Plan(5_000, 1 + i % 10, LegalRun.Plan.NO_FAULTS);
      List<Event> all = LegalRun.generate(seed.nth(i).random(), plan);
      HistoryChecks.check(History.of(all)).requireClean();
      List<Event> events = all.stream().filter(event -> !(event instanceof LogEntry)).toList();
      CheckResult verdict = HistoryChecks.checkCallsAlone(History.of(events));
      assertThat(verdict.count()).as("%s, history %d: %s", seed, i, verdict).isZero();
    }
  }

  @Test
  void aMillionEventsAreJudgedInSeconds() {
    Seed seed = Seed.forTest("a million events");
    LegalRun.Plan plan = new LegalRun.Plan(1_700_000, 50, 20_000);
    List<Event> events = LegalRun.generate(seed.random(), plan);
    Ticker ticker = Ticker.system();
    long start = ticker.nanos();
    CheckResult verdict = HistoryChecks.check(History.of(events));
    long millis = (ticker.nanos() - start) / 1_000_000;
    LOG.log(Level.INFO, "{0} events judged in {1} ms: {2}", events.size(), millis, verdict.tally());
    assertThat(events.size()).isGreaterThan(1_000_000);
    assertThat(verdict.count()).as("%s: %s", seed, verdict).isZero();
  }

  @Test
  void the_events_of_several_processes_make_one_history() {
    List<Event> first = new ArrayList<>(List.of(called("one", 1, 5), returned("one", 1, 9)));
    List<Event> second = List.of(called("two", 1, 6), returned("two", 1, 8));
    first.addAll(second);
    assertThat(History.of(first).keys())
        .singleElement()
        .satisfies(key -> assertThat(key.calls()).hasSize(2));
  }

  private static Event called(String process, long number, long nanos) {
    return new Event.Called(process, number, HistoryScript.renewal(1, HistoryScript.ALICE), nanos);
  }

  private static Event returned(String process, long number, long nanos) {
    return new Event.Returned(process, number, HistoryScript.ok(new Answer.Renewed(30)), nanos);
  }
}
