package dev.leasehold.verification.engines;

import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.testkit.history.CheckResult;
import dev.leasehold.testkit.history.Event;
import dev.leasehold.testkit.history.EventLog;
import dev.leasehold.testkit.history.Fault;
import dev.leasehold.testkit.history.History;
import dev.leasehold.testkit.history.HistoryChecks;
import dev.leasehold.testkit.history.HistoryRecorder;
import dev.leasehold.testkit.history.RecordingStore;
import java.util.ArrayList;
import java.util.List;

/** What the clients of one test in this process were told, for comparison with the journal. */
final class Judged {
  private final EventLog events = new EventLog();
  private final HistoryRecorder recorder = new HistoryRecorder("client", Ticker.system(), events);

  LeaseStore recorded(LeaseStore store) {
    return new RecordingStore(store, recorder);
  }

  long nanos() {
    return recorder.nanos();
  }

  void saw(Fault fault) {
    recorder.saw(fault);
  }

  /** Compares it with the database's journal and with these targets' logs. */
  CheckResult verdict(Database database, List<? extends Event> ofTargets) {
    List<Event> all = new ArrayList<>(events.events());
    all.addAll(new Journal(database).entries());
    all.addAll(ofTargets);
    return HistoryChecks.check(History.of(all));
  }
}
