package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.fence.Token;
import dev.leasehold.fence.jdbc.ClaimRefusedException;
import dev.leasehold.kernel.model.Explanation;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Command.Reopening;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.effects.AtEffect;
import dev.leasehold.store.jdbc.effects.GuardRefusal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A store that is opened twice, a table of notes in its database, and what ends a grant. */
abstract class AtEffectGroup {
  static final LeaseKey KEY = new LeaseKey("lock/report");
  static final Instance BOB = Instance.of("b".repeat(32));
  static final Duration TRUST = Duration.ofSeconds(30);

  final RefusalTrail trail = new RefusalTrail(InstantSource.fixed(Instant.EPOCH));
  TwoHandles handles;
  JdbcStore store;
  JdbcStore other;
  AtEffect effects;

  abstract TwoHandles open(long startMillis);

  /** How many notes commit if the caller ignores a refusal and writes once more. */
  int notesAfterAnIgnoredRefusal() {
    return 0;
  }

  @BeforeEach
  void openStores() throws SQLException {
    handles = open(TestCommands.START_MILLIS);
    store = handles.jdbc();
    other = handles.anotherJdbc();
    effects = store.atEffect("notes", trail);
    run("CREATE TABLE notes (id INTEGER PRIMARY KEY, text VARCHAR(100))");
  }

  @AfterEach
  void closeStores() {
    handles.close();
  }

  void run(String sql) throws SQLException {
    try (Connection connection = handles.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  int notes() throws SQLException {
    try (Connection connection = handles.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT count(*) FROM notes")) {
      return rows.next() ? rows.getInt(1) : -1;
    }
  }

  static int note(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.executeUpdate(
          "INSERT INTO notes (id, text) SELECT count(*), 'a note' FROM notes");
    }
  }

  static Claim claim(Token token) {
    return Claim.of(KEY, token).by("ann");
  }

  void expire() {
    handles.setClock(TestCommands.START_MILLIS + TestCommands.TTL.toMillis() + 1);
  }

  static Command bobAsks() {
    return Command.Acquire.of(KEY, BOB, RequestId.random(), Terms.of("bob", TestCommands.TTL));
  }

  static Token takeOver(LeaseStore store) {
    return ((Outcome.Granted) TestCommands.outcome(store, bobAsks())).grant().token();
  }

  static Command revoking() {
    return new Command.Revoke(
        KEY, new Operator("olga"), new Explanation("a test"), Reopening.NOW, RequestId.random());
  }

  static Command handingOver(Token token) {
    return new Command.HandOver(
        KEY, token, TestCommands.ANN, RequestId.random(), new Command.Heir("bob", BOB.id()));
  }

  static Advance advancing() {
    return new Advance(OptionalInt.of(0), OptionalInt.empty(), OptionalLong.of(0));
  }

  /** As a check in the caller's transaction does. */
  void refuses(Connection connection, Claim claim, Admission.Refused why) {
    assertThatThrownBy(() -> effects.check(connection, claim, TRUST))
        .isInstanceOfSatisfying(
            ClaimRefusedException.class,
            refusal -> {
              assertThat(refusal.refused()).isEqualTo(why);
              assertThat(refusal.claim()).isEqualTo(claim);
              assertThat(GuardRefusal.of(refusal))
                  .contains(
                      why instanceof Admission.Stale ? GuardRefusal.STALE : GuardRefusal.UNISSUED);
            });
  }
}
