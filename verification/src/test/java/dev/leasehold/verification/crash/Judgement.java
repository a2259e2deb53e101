package dev.leasehold.verification.crash;

import dev.leasehold.testkit.history.CheckResult;
import dev.leasehold.testkit.history.Event;
import dev.leasehold.testkit.history.Fault;
import dev.leasehold.testkit.history.History;
import dev.leasehold.testkit.history.HistoryChecks;
import dev.leasehold.verification.engines.Database;
import dev.leasehold.verification.engines.Journal;
import dev.leasehold.verification.engines.Ledger;
import dev.leasehold.verification.engines.Ledger.Target;
import java.util.ArrayList;
import java.util.List;

/** Compares what clients were told with what the store and the fenced targets recorded. */
final class Judgement {
  private Judgement() {}

  static CheckResult judge(Database database, List<Event> told, List<Fault> faults) {
    List<Event> events = new ArrayList<>(told);
    events.addAll(new Journal(database).entries());
    events.addAll(Ledger.events(database, Target.FENCED));
    events.addAll(Ledger.events(database, Target.AT_EFFECT));
    events.addAll(faults);
    return judge(events);
  }

  private static CheckResult judge(List<Event> events) {
    CheckResult verdict = HistoryChecks.check(History.of(events));
    System.getLogger(Judgement.class.getName())
        .log(System.Logger.Level.INFO, "{0}", verdict.tally());
    return verdict;
  }
}
