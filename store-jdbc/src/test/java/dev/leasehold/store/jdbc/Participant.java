package dev.leasehold.store.jdbc;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.leases.Settled;
import dev.leasehold.testkit.history.Ask;
import dev.leasehold.testkit.history.Fault;
import dev.leasehold.testkit.history.HistoryRecorder;
import dev.leasehold.testkit.history.HistoryRecorder.OpenCall;
import dev.leasehold.testkit.history.Result;
import dev.leasehold.testkit.history.TargetEvent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** One session's part in a scene: what it may use, and the answers that it got. */
final class Participant {
  private final LeaseScenario scenario;
  private final OrderedSession session;
  private final HistoryRecorder recorder;
  private final List<Outcome> outcomes = new ArrayList<>();
  private int changes;
  private Set<Long> committedBefore = Set.of();

  Participant(LeaseScenario scenario, OrderedSession session, HistoryRecorder recorder) {
    this.scenario = scenario;
    this.session = session;
    this.recorder = recorder;
  }

  char name() {
    return session.name();
  }

  OrderedSession session() {
    return session;
  }

  Connection connection() {
    return session.connection();
  }

  OrderedStore store() {
    return scenario.store();
  }

  LeaseKey key() {
    return scenario.key();
  }

  LeaseKey secondKey() {
    return scenario.secondKey();
  }

  /** Ann's token at the beginning; for a key without a row, the first that will be issued. */
  Token token() {
    return scenario.token();
  }

  /** A holder of its own. */
  Instance instance() {
    return Instance.of(String.valueOf(Character.toLowerCase(name())).repeat(31) + "0");
  }

  /** One for each key, because each session sends one command to a key. */
  RequestId requestId() {
    return new RequestId("by-" + name());
  }

  void apply(List<Command> batch) {
    carryOut(batch, session::apply);
  }

  void renewWaiting(Command.Renew renewal) {
    carryOut(List.of(renewal), batch -> session.renewWaiting(renewal));
  }

  private void carryOut(List<Command> batch, Function<List<Command>, List<Settled>> way) {
    List<Optional<OpenCall>> calls =
        batch.stream().map(command -> Ask.of(command).map(recorder::call)).toList();
    List<Settled> settled = way.apply(batch);
    for (int i = 0; i < batch.size(); i++) {
      Outcome outcome = settled.get(i).outcome();
      outcomes.add(outcome);
      calls.get(i).ifPresent(call -> call.returned(Result.of(outcome)));
    }
  }

  List<Outcome> outcomes() {
    return outcomes;
  }

  /** How many changes it has made under the lease. */
  int changes() {
    return changes;
  }

  void advanced(Advance.Outcome outcome) {
    if (outcome instanceof Advance.Advanced advanced) {
      scenario.advancedTo(advanced.incarnation(), committedBefore);
      recorder.saw(new Fault.IncarnationAdvanced(recorder.nanos(), advanced.incarnation()));
    }
  }

  /** The next commit is that of an advance: everything committed by then is of the time before. */
  void advancesAtCommit() {
    session.gate().beforeCommit(() -> committedBefore = scenario.committed());
  }

  /** The next commit is that of a change: recorded after everything committed by then. */
  void changedAtCommit() {
    session
        .gate()
        .beforeCommit(
            () -> {
              long after = scenario.lastCommitted();
              changes++;
              recorder.saw(
                  new TargetEvent(
                      "notes",
                      key(),
                      token(),
                      after,
                      recorder.nanos(),
                      new TargetEvent.ChangedAtEffect(after)));
            });
  }

  void update(String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = bound(sql, values)) {
      int unused = statement.executeUpdate();
    }
  }

  void query(String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = bound(sql, values);
        ResultSet rows = statement.executeQuery()) {
      boolean unused = rows.next();
    }
  }

  private PreparedStatement bound(String sql, Object... values) throws SQLException {
    PreparedStatement statement = connection().prepareStatement(sql);
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
    return statement;
  }
}
