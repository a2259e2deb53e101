package dev.leasehold.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.testkit.history.CheckResult;
import dev.leasehold.testkit.history.Event;
import dev.leasehold.testkit.history.EventLog;
import dev.leasehold.testkit.history.History;
import dev.leasehold.testkit.history.HistoryChecks;
import dev.leasehold.testkit.history.HistoryRecorder;
import dev.leasehold.testkit.history.RecordingStore;
import dev.leasehold.testkit.model.RecordValidator;
import dev.leasehold.testkit.random.Seed;
import dev.leasehold.testkit.suite.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A store, the threads that share it, and everything they saw. Its clock only moves forward. */
final class RaceFixture {
  static final int THREADS = 8;

  private final EventLog events = new EventLog();
  private final Ticker ticker = Ticker.system();
  private final HighWaterMark mark = new HighWaterMark(events);
  private final List<RacingCaller> contenders = new ArrayList<>();
  private final StoreUnderTest subject;
  private final RecordValidator validator;
  private volatile long clockMillis;

  RaceFixture(StoreUnderTest subject, long startMillis) {
    this.subject = subject;
    this.validator = new RecordValidator(subject.store().limits());
    setClock(startMillis);
  }

  /** Threads that compete for the same keys, each in its own way. */
  List<RacingCaller> gather(Seed seed, List<LeaseKey> keys) {
    for (int i = 0; i < THREADS; i++) {
      contenders.add(new RacingCaller(this, "contender-" + i, keys, seed.nth(i).random()));
    }
    return contenders;
  }

  /** Both handles of the store, for one process that writes down what it does. */
  List<LeaseStore> handlesFor(String process) {
    HistoryRecorder recorder = new HistoryRecorder(process, ticker, events);
    return List.of(
        new RecordingStore(subject.store(), recorder),
        new RecordingStore(subject.another(), recorder));
  }

  /** A change of what the lease protects, under a token. */
  boolean change(LeaseKey key, Token token) {
    return mark.change(key, token, ticker.nanos());
  }

  List<RacingCaller> contenders() {
    return contenders;
  }

  long now() {
    return clockMillis;
  }

  /** Sets the store's clock forward, and writes down from when on it shows that. */
  void setClock(long millis) {
    clockMillis = millis;
    subject.setClock(millis);
    events.add(new Event.ClockShown(ticker.nanos(), millis));
  }

  void pass(long millis) {
    setClock(clockMillis + millis);
  }

  /** Makes races likelier, and waiting cheaper; nothing is right or wrong because of it. */
  @SuppressWarnings("ThreadPriorityCheck")
  static void letOthersRun() {
    Thread.yield();
  }

  Optional<LeaseRecord> recordOf(LeaseKey key) {
    return Await.answer(subject.store().read(key)).map(LeaseReading::record);
  }

  /**
   * Looks at records while nothing else is going on: both handles see the same, and it is sound.
   */
  void look(List<LeaseKey> keys) {
    for (LeaseKey key : keys) {
      Optional<LeaseRecord> record = recordOf(key);
      assertThat(validator.violations(key, record))
          .as("the record of %s, %s", key, record)
          .isEmpty();
      assertThat(Await.answer(subject.another().read(key)).map(LeaseReading::record))
          .as("the record of %s, by the other handle", key)
          .isEqualTo(record);
    }
  }

  CheckResult verdict() {
    return HistoryChecks.checkCallsAlone(History.of(events.events()));
  }

  void requireInOrder(Object what) {
    CheckResult verdict = verdict();
    assertThat(verdict.count()).as("%s: %s", what, verdict).isZero();
  }
}
