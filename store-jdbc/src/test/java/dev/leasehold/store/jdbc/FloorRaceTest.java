package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.objects.model.Expectation;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.model.Payload;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Version;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.connections.Failures;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A user deletes rows by hand while their keys are acquired, in every order of the two: tokens and
 * versions never go back (I2). A second connection deletes and stays uncommitted until the store
 * has answered or waits.
 */
class FloorRaceTest {
  private static final LeaseKey KEY = new LeaseKey("lock/a");
  private static final ObjectName NAME = ObjectName.of("sandbox", "one");
  private static final int GRANTS = 5;

  private Schema schema;
  private JdbcStore store;
  private Connection user;
  private Connection onlooker;

  @BeforeEach
  void begin() throws SQLException {
    schema = new Schema();
    store = schema.store().migrate().open();
    user = DriverManager.getConnection(schema.url(""));
    user.setAutoCommit(false);
    onlooker = DriverManager.getConnection(schema.url(""));
  }

  private void open(String isolation) {
    store.close();
    store = JdbcStore.at(schema.url("-c default_transaction_isolation=" + isolation)).open();
  }

  @AfterEach
  void close() throws SQLException {
    user.close();
    onlooker.close();
    store.close();
    schema.close();
  }

  private void run(String sql) throws SQLException {
    try (Statement statement = user.createStatement()) {
      boolean unused = statement.execute(sql);
    }
  }

  private Token lastOfMany() {
    Token last = TestCommands.acquireAndRelease(store.leases(), KEY);
    for (int i = 1; i < GRANTS; i++) {
      last = TestCommands.acquireAndRelease(store.leases(), KEY);
    }
    return last;
  }

  /** Until the store has answered, or a backend of it waits for a lock. */
  private void answeredOrWaiting(CompletableFuture<?> asked) throws SQLException {
    while (!asked.isDone() && !isWaiting()) {
      Thread.onSpinWait();
    }
  }

  private boolean isWaiting() throws SQLException {
    try (Statement statement = onlooker.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                    + " AND application_name = current_setting('application_name')")) {
      return row.next() && row.getInt(1) > 0;
    }
  }

  /** The next grant of the store, if the first answer was not one. */
  private Token granted(CompletableFuture<List<Outcome>> first) {
    Outcome outcome = TestCommands.get(first).getFirst();
    while (!(outcome instanceof Outcome.Granted)) {
      assertThat(outcome).isInstanceOfAny(Outcome.Held.class, Outcome.Failed.class);
      outcome = TestCommands.outcome(store.leases(), TestCommands.acquiring(KEY));
    }
    return ((Outcome.Granted) outcome).grant().token();
  }

  private CompletableFuture<List<Outcome>> asking(int commands) {
    List<Command> batch =
        commands == 1
            ? List.of(TestCommands.acquiring(KEY))
            : List.of(
                TestCommands.acquiring(KEY), TestCommands.acquiring(new LeaseKey("lock/other")));
    return store.leases().apply(batch).toCompletableFuture();
  }

  @ParameterizedTest
  @ValueSource(strings = {"read\\ committed", "serializable"})
  void an_acquire_during_a_deletion_that_is_committed_counts_on(String isolation)
      throws SQLException {
    for (int commands = 1; commands <= 2; commands++) {
      open(isolation);
      Token last = lastOfMany();
      run("DELETE FROM leasehold_lease WHERE key = 'lock/a'");
      CompletableFuture<List<Outcome>> asked = asking(commands);
      answeredOrWaiting(asked);
      user.commit();
      assertThat(granted(asked).isAbove(last)).isTrue();
      close();
      begin();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"read\\ committed", "serializable"})
  void an_acquire_during_a_deletion_that_is_rolled_back_takes_the_next_token(String isolation)
      throws SQLException {
    open(isolation);
    Token last = lastOfMany();
    run("DELETE FROM leasehold_lease WHERE key = 'lock/a'");
    CompletableFuture<List<Outcome>> asked = asking(1);
    answeredOrWaiting(asked);
    user.rollback();
    assertThat(granted(asked).value()).isEqualTo(last.value() + 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"read\\ committed", "serializable"})
  void an_acquire_after_a_deletion_counts_on(String isolation) throws SQLException {
    open(isolation);
    Token last = lastOfMany();
    run("DELETE FROM leasehold_lease WHERE key = 'lock/a'");
    user.commit();
    assertThat(TestCommands.acquire(store.leases(), KEY).isAbove(last)).isTrue();
    run("TRUNCATE leasehold_lease");
    user.commit();
    assertThat(TestCommands.acquire(store.leases(), KEY).isAbove(new Token(last.value() + 1)))
        .isTrue();
  }

  /** Above READ COMMITTED a TRUNCATE removes rows that its transaction does not see. */
  @ParameterizedTest
  @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
  void a_table_is_emptied_only_by_a_transaction_that_sees_all_of_it(int isolation)
      throws SQLException {
    user.setTransactionIsolation(isolation);
    for (String table : List.of("leasehold_lease", "leasehold_object")) {
      run("SELECT 1 FROM leasehold_store");
      Token last = lastOfMany();
      Version version = written(putting());
      boolean emptied = emptiedAndCommitted(table);
      assertThat(TestCommands.acquireAndRelease(store.leases(), KEY).isAbove(last)).isTrue();
      assertThat(written(putting()).value()).isGreaterThan(version.value());
      assertThat(emptied).isFalse();
    }
  }

  private boolean emptiedAndCommitted(String table) throws SQLException {
    try {
      run("TRUNCATE " + table + " CASCADE");
      user.commit();
      return true;
    } catch (SQLException e) {
      assertThat(e.getMessage()).contains("READ COMMITTED only");
      user.rollback();
      return false;
    }
  }

  /**
   * The acquire has read the floor and waits for the row that the user has inserted; then the user
   * deletes that row.
   */
  @ParameterizedTest
  @ValueSource(strings = {"read\\ committed", "serializable"})
  void an_acquire_that_has_the_floor_is_not_passed_by_a_deletion(String isolation)
      throws Exception {
    open(isolation);
    Token last = new Token(lastOfMany().value() + 100);
    run("DELETE FROM leasehold_lease");
    user.commit();
    int bucket = Buckets.of(KEY);
    run(
        "INSERT INTO leasehold_lease (bucket, key, last_token, written_at)"
            + " VALUES (%d, 'lock/a', %d, 0)".formatted(bucket, last.value()));
    CompletableFuture<List<Outcome>> asked = asking(1);
    answeredOrWaiting(asked);
    boolean committed = deletedAndCommitted("DELETE FROM leasehold_lease WHERE key = 'lock/a'");
    Token token = granted(asked);
    assertThat(!committed || token.isAbove(last)).isTrue();
  }

  /** False if a deadlock ended the user's own transaction. */
  private boolean deletedAndCommitted(String deletion) throws SQLException {
    try {
      run(deletion);
      user.commit();
      return true;
    } catch (SQLException e) {
      assertThat(Failures.of(e)).isEqualTo(Failures.RESTART);
      user.rollback();
      return false;
    }
  }

  private static ObjectCommand put() {
    return new ObjectCommand.Put(
        NAME, Payload.ofText("x"), Expectation.ANYTHING, Optional.empty(), RequestId.random());
  }

  private CompletableFuture<List<ObjectOutcome>> putting() {
    return store.objects().apply(List.of(put())).toCompletableFuture();
  }

  private Version written(CompletableFuture<List<ObjectOutcome>> first) {
    ObjectOutcome outcome = TestCommands.get(first).getFirst();
    while (!(outcome instanceof ObjectOutcome.Written)) {
      assertThat(outcome).isInstanceOf(ObjectOutcome.Failed.class);
      outcome = TestCommands.get(putting()).getFirst();
    }
    return ((ObjectOutcome.Written) outcome).version();
  }

  @ParameterizedTest
  @ValueSource(strings = {"read\\ committed", "serializable"})
  void a_write_during_a_deletion_counts_on(String isolation) throws SQLException {
    open(isolation);
    Version last = written(putting());
    for (int i = 0; i < 2 * GRANTS; i++) {
      last = written(putting());
      if (i % 2 == 0) {
        continue;
      }
      run("DELETE FROM leasehold_object WHERE type = 'sandbox'");
      CompletableFuture<List<ObjectOutcome>> asked = putting();
      answeredOrWaiting(asked);
      if (i % 4 == 1) {
        user.commit();
      } else {
        user.rollback();
      }
      assertThat(written(asked).value()).isGreaterThan(last.value());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"read\\ committed", "serializable"})
  void a_write_that_has_the_floor_is_not_passed_by_a_deletion(String isolation) throws Exception {
    open(isolation);
    long last = written(putting()).value() + 100;
    run("DELETE FROM leasehold_object");
    user.commit();
    run(
        "INSERT INTO leasehold_object (type, id, bucket, version, deed, request_id, created_at,"
            + " updated_at, payload) VALUES ('sandbox', 'one', %d, %d, 0, 'r', 0, 0, '')"
                .formatted(Buckets.of(NAME.toString()), last));
    CompletableFuture<List<ObjectOutcome>> asked = putting();
    answeredOrWaiting(asked);
    boolean committed = deletedAndCommitted("DELETE FROM leasehold_object WHERE type = 'sandbox'");
    long version = written(asked).value();
    assertThat(!committed || version > last).isTrue();
  }

  /** The floor stays locked until the store's own transaction has ended. */
  @ParameterizedTest
  @ValueSource(strings = {"read\\ committed", "serializable"})
  void a_deletion_waits_for_the_transaction_that_has_the_floor(String isolation) throws Exception {
    open(isolation);
    Token unused = lastOfMany();
    Version unusedToo = written(putting());
    try (Connection creator = DriverManager.getConnection(schema.url(""));
        Statement statement = creator.createStatement()) {
      creator.setAutoCommit(false);
      for (String table : List.of("leasehold_lease", "leasehold_object")) {
        String floors = table.equals("leasehold_lease") ? "leasehold_floor" : table + "_floor";
        for (String how : List.of("DELETE FROM ", "TRUNCATE ")) {
          boolean locked = statement.execute("SELECT 1 FROM " + floors + " FOR KEY SHARE");
          assertThat(locked).isTrue();
          CompletableFuture<Void> deleting =
              CompletableFuture.runAsync(() -> TestCommands.unchecked(() -> run(how + table)));
          answeredOrWaiting(deleting);
          assertThat(deleting).isNotDone();
          creator.rollback();
          get(deleting);
          user.rollback();
        }
      }
    }
  }

  private static void get(CompletableFuture<Void> done)
      throws InterruptedException, ExecutionException, TimeoutException {
    Void unused = done.get(60, TimeUnit.SECONDS);
  }
}
