package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Explanation;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An acquire that must be refused locks nothing and writes nothing. */
class RefusedAcquireTest {
  private static final Instance BOB = Instance.of("b".repeat(32));
  private static final LeaseKey HELD = new LeaseKey("lock/held");
  private static final LeaseKey CLOSED = new LeaseKey("lock/closed");
  private static final LeaseKey GONE = new LeaseKey("lock/gone");
  private static final int ASKS = 20;
  private static final int CONTENDERS = 8;

  /** A server sometimes writes by itself, as its checkpointer does. */
  private static final int TRIES = 20;

  private static Command.Acquire asking(LeaseKey key, Optional<Command.Expected> expected) {
    return new Command.Acquire(
        key, BOB, RequestId.random(), Terms.of("bob", TestCommands.TTL), expected);
  }

  private record Asked(List<Command> batch, Class<? extends Outcome> refusal) {
    Asked(Command command, Class<? extends Outcome> refusal) {
      this(List.of(command), refusal);
    }
  }

  /** As if many contenders of one process had sent it together: more than one statement takes. */
  private static Asked together(Asked one) {
    return new Asked(Collections.nCopies(CONTENDERS, one.batch().getFirst()), one.refusal());
  }

  private static List<Asked> asks(Token held) {
    List<Asked> asks = new ArrayList<>();
    Command.Expected another = new Command.Expected(BOB.id(), held);
    Command.Expected same = new Command.Expected(TestCommands.ANN.id(), held);
    asks.add(new Asked(asking(HELD, Optional.empty()), Outcome.Held.class));
    asks.add(new Asked(asking(HELD, Optional.of(same)), Outcome.Held.class));
    asks.add(new Asked(asking(HELD, Optional.of(another)), Outcome.Changed.class));
    asks.add(new Asked(asking(CLOSED, Optional.empty()), Outcome.Closed.class));
    asks.addAll(asks.stream().map(RefusedAcquireTest::together).toList());
    return asks;
  }

  private static String written(Schema schema) throws SQLException {
    return schema.value(
        "SELECT pg_snapshot_xmax(pg_current_snapshot()) || ' ' || pg_current_wal_insert_lsn()");
  }

  @ParameterizedTest
  @ValueSource(strings = {"read\\ committed", "serializable"})
  void a_refused_acquire_takes_no_transaction_id_and_writes_no_log(String isolation)
      throws SQLException {
    try (Schema schema = new Schema();
        JdbcStore store =
            JdbcStore.at(schema.url("-c default_transaction_isolation=" + isolation))
                .leaveHousekeepingToOthers()
                .migrate()
                .open()) {
      Token held = refusing(store);
      for (Asked ask : asks(held)) {
        assertThat(isRefusedWithoutWriting(schema, store, ask)).as(ask.toString()).isTrue();
      }
    }
  }

  /** The row of the key was deleted, or never was: no floor is locked for it either. */
  @ParameterizedTest
  @ValueSource(strings = {"read\\ committed", "serializable"})
  void nor_does_one_of_a_key_that_has_no_row(String isolation) throws SQLException {
    try (Schema schema = new Schema();
        JdbcStore store =
            JdbcStore.at(schema.url("-c default_transaction_isolation=" + isolation))
                .leaveHousekeepingToOthers()
                .migrate()
                .open()) {
      Command.Expected before =
          new Command.Expected(TestCommands.ANN.id(), TestCommands.acquire(store.leases(), GONE));
      schema.execute("DELETE FROM leasehold_lease WHERE key = '" + GONE + "'");
      Asked changed = new Asked(asking(GONE, Optional.of(before)), Outcome.Changed.class);
      assertThat(isRefusedWithoutWriting(schema, store, changed)).isTrue();
      assertThat(isRefusedWithoutWriting(schema, store, together(changed))).isTrue();
      schema.execute(
          "UPDATE leasehold_store SET held_off_until = extract(epoch FROM now()) * 1000 + 600000");
      Asked heldOff = new Asked(asking(GONE, Optional.empty()), Outcome.Closed.class);
      assertThat(isRefusedWithoutWriting(schema, store, heldOff)).isTrue();
      assertThat(isRefusedWithoutWriting(schema, store, together(heldOff))).isTrue();
    }
  }

  private static Token refusing(JdbcStore store) {
    Token held = TestCommands.acquire(store.leases(), HELD);
    Token unused = TestCommands.acquire(store.leases(), CLOSED);
    assertThat(
            TestCommands.outcome(
                store.leases(),
                new Command.Revoke(
                    CLOSED,
                    new Operator("olga"),
                    new Explanation("a test"),
                    Command.Reopening.AT_EXPIRY,
                    RequestId.random())))
        .isInstanceOf(Outcome.Revoked.class);
    return held;
  }

  private static boolean isRefusedWithoutWriting(Schema schema, JdbcStore store, Asked ask)
      throws SQLException {
    boolean wroteNothing = false;
    for (int i = 0; i < TRIES && !wroteNothing; i++) {
      String before = written(schema);
      for (int n = 0; n < ASKS; n++) {
        assertThat(TestCommands.get(store.leases().apply(ask.batch())))
            .hasOnlyElementsOfType(ask.refusal());
      }
      wroteNothing = before.equals(written(schema));
    }
    return wroteNothing;
  }

  /** The key is free, and another transaction has its row locked. */
  @ParameterizedTest
  @ValueSource(strings = {"read\\ committed", "serializable"})
  void nor_does_one_whose_row_is_locked(String isolation) throws SQLException {
    try (Schema schema = new Schema();
        JdbcStore store =
            JdbcStore.at(schema.url("-c default_transaction_isolation=" + isolation))
                .leaveHousekeepingToOthers()
                .migrate()
                .open();
        Connection locker = DriverManager.getConnection(schema.url(""));
        Statement statement = locker.createStatement()) {
      Token unused = TestCommands.acquireAndRelease(store.leases(), HELD);
      locker.setAutoCommit(false);
      boolean unusedToo = statement.execute("SELECT 1 FROM leasehold_lease FOR KEY SHARE");
      Asked held = new Asked(asking(HELD, Optional.empty()), Outcome.Held.class);
      assertThat(isRefusedWithoutWriting(schema, store, held)).isTrue();
      assertThat(isRefusedWithoutWriting(schema, store, together(held))).isTrue();
    }
  }

  /** Also while the row is locked: the store does not even try it. */
  @ParameterizedTest
  @ValueSource(strings = {"read\\ committed", "serializable"})
  void a_refusal_waits_for_no_lock_of_the_row(String isolation) throws SQLException {
    try (Schema schema = new Schema();
        JdbcStore store =
            JdbcStore.at(schema.url("-c default_transaction_isolation=" + isolation))
                .leaveHousekeepingToOthers()
                .migrate()
                .open();
        Connection locker = DriverManager.getConnection(schema.url(""));
        Statement statement = locker.createStatement()) {
      Token held = refusing(store);
      locker.setAutoCommit(false);
      boolean unused = statement.execute("SELECT 1 FROM leasehold_lease FOR UPDATE");
      for (Asked ask : asks(held)) {
        for (Outcome outcome : TestCommands.get(store.leases().apply(ask.batch()))) {
          assertThat(outcome).isInstanceOf(ask.refusal());
          if (outcome instanceof Outcome.Held told) {
            assertThat(told.remainingMillis()).isPositive();
          }
        }
      }
    }
  }
}
