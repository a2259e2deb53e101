package dev.leasehold.testkit.contract;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.testkit.history.EventLog;
import dev.leasehold.testkit.history.History;
import dev.leasehold.testkit.history.HistoryChecks;
import dev.leasehold.testkit.history.HistoryRecorder;
import dev.leasehold.testkit.history.RecordingStore;
import dev.leasehold.testkit.history.Verdict;
import dev.leasehold.testkit.random.Seed;
import java.util.ArrayList;
import java.util.List;

/** A store, the threads that share it, and everything they saw. */
final class Bench {
  static final int THREADS = 8;

  private final EventLog events = new EventLog();
  private final Ticker ticker = Ticker.system();
  private final HighWaterMark mark = new HighWaterMark(events);
  private final List<Contender> contenders = new ArrayList<>();
  private final StoreUnderTest subject;

  Bench(StoreUnderTest subject, Seed seed, List<LeaseKey> keys) {
    this.subject = subject;
    for (int i = 0; i < THREADS; i++) {
      contenders.add(new Contender(this, "contender-" + i, keys, seed.nth(i).random()));
    }
  }

  RecordingStore storeFor(String process) {
    return new RecordingStore(subject.store(), new HistoryRecorder(process, ticker, events));
  }

  /** A change of what the lease protects, under a token. */
  boolean change(LeaseKey key, Token token) {
    return mark.change(key, token, ticker.nanos());
  }

  List<Contender> contenders() {
    return contenders;
  }

  /** Makes races likelier, and waiting cheaper; nothing is right or wrong because of it. */
  @SuppressWarnings("ThreadPriorityCheck")
  static void letOthersRun() {
    Thread.yield();
  }

  Verdict verdict() {
    return HistoryChecks.checkCallsAlone(History.of(events.events()));
  }
}
