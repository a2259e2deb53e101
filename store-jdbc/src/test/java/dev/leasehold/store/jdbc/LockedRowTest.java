package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rows that another transaction keeps locked for the whole test. */
class LockedRowTest {
  private static final Instance BOB = Instance.of("b".repeat(32));

  private Schema schema;
  private JdbcStore store;
  private Connection locker;

  @BeforeEach
  void open() throws SQLException {
    schema = new Schema();
    store = schema.store().migrate().open();
    locker = DriverManager.getConnection(schema.url(""));
    locker.setAutoCommit(false);
  }

  @AfterEach
  void close() throws SQLException {
    locker.close();
    store.close();
    schema.close();
  }

  private static LeaseKey key(int number) {
    return new LeaseKey("lock/" + number);
  }

  private static List<LeaseKey> keys(int count) {
    return IntStream.range(0, count).mapToObj(LockedRowTest::key).toList();
  }

  private List<Token> acquireAll(int count) {
    return TestCommands.get(
            store.leases().apply(keys(count).stream().map(TestCommands::acquiring).toList()))
        .stream()
        .map(outcome -> ((Outcome.Granted) outcome).grant().token())
        .toList();
  }

  private void lock(LeaseKey key) throws SQLException {
    try (PreparedStatement statement =
        locker.prepareStatement("SELECT * FROM leasehold_lease WHERE key = ? FOR UPDATE")) {
      statement.setString(1, key.text());
      assertThat(statement.executeQuery().next()).isTrue();
    }
  }

  private static void isNotApplied(Outcome outcome) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> {
              assertThat(failed.certainty()).isEqualTo(Certainty.NOT_APPLIED);
              assertThat(failed.detail()).contains("locked by another");
            });
  }

  /** A renewal that waited would have waited for the whole second: the detail would say so. */
  private static void hasNotWaited(Outcome outcome) {
    isNotApplied(outcome);
    assertThat(((Outcome.Failed) outcome).detail()).doesNotContain("longer than");
  }

  @Test
  void one_locked_lease_keeps_no_other_from_being_renewed() throws SQLException {
    List<Token> tokens = acquireAll(101);
    lock(key(50));
    List<Outcome> outcomes =
        TestCommands.get(
            store
                .leases()
                .apply(
                    IntStream.range(0, 101)
                        .<Command>mapToObj(
                            i -> Command.Renew.of(key(i), tokens.get(i), TestCommands.ANN))
                        .toList()));
    for (int i = 0; i < 101; i++) {
      if (i == 50) {
        hasNotWaited(outcomes.get(i));
      } else {
        assertThat(outcomes.get(i)).isInstanceOf(Outcome.Renewed.class);
      }
    }
  }

  /** Only a renewal alone in its batch waits for its row: the others would wait with it. */
  @Test
  void many_renewals_of_one_locked_lease_keep_no_other_waiting() throws SQLException {
    List<Token> tokens = acquireAll(2);
    lock(key(1));
    Command waiting = Command.Renew.of(key(1), tokens.get(1), TestCommands.ANN);
    CompletableFuture<List<Outcome>> alone =
        store.leases().apply(List.of(waiting)).toCompletableFuture();
    // This takes a second: if the batch waited as well, the renewal alone would end before it.
    isNotApplied(
        TestCommands.outcome(store.leases(), TestCommands.releasing(key(1), tokens.get(1))));
    List<Command> batch = new ArrayList<>(Collections.nCopies(10, waiting));
    batch.addFirst(Command.Renew.of(key(0), tokens.get(0), TestCommands.ANN));
    List<Outcome> outcomes = TestCommands.get(store.leases().apply(batch));
    assertThat(outcomes.getFirst()).isInstanceOf(Outcome.Renewed.class);
    assertThat(outcomes.subList(1, 11)).allSatisfy(LockedRowTest::hasNotWaited);
    assertThat(alone).isNotDone();
    locker.commit();
    assertThat(TestCommands.get(alone).getFirst()).isInstanceOf(Outcome.Renewed.class);
  }

  /** It waits apart from the renewals of other leases, which continue. */
  @Test
  void a_lone_renewal_waits_for_its_row_and_keeps_no_other_waiting() throws SQLException {
    List<Token> tokens = acquireAll(2);
    lock(key(0));
    CompletableFuture<List<Outcome>> waiting =
        store
            .leases()
            .apply(List.of(Command.Renew.of(key(0), tokens.get(0), TestCommands.ANN)))
            .toCompletableFuture();
    for (int i = 0; i < 10; i++) {
      assertThat(
              TestCommands.outcome(
                  store.leases(), Command.Renew.of(key(1), tokens.get(1), TestCommands.ANN)))
          .isInstanceOf(Outcome.Renewed.class);
    }
    assertThat(waiting).isNotDone();
    locker.commit();
    assertThat(TestCommands.get(waiting).getFirst()).isInstanceOf(Outcome.Renewed.class);
  }

  /** A holder that loses patience sends it again; only the latest copy continues to wait. */
  @Test
  void a_renewal_that_is_sent_again_takes_the_place_of_the_one_before() throws SQLException {
    Token token = acquireAll(1).getFirst();
    lock(key(0));
    List<Command> renewal = List.of(Command.Renew.of(key(0), token, TestCommands.ANN));
    CompletableFuture<List<Outcome>> first = store.leases().apply(renewal).toCompletableFuture();
    CompletableFuture<List<Outcome>> second = store.leases().apply(renewal).toCompletableFuture();
    hasNotWaited(TestCommands.get(first).getFirst());
    locker.commit();
    assertThat(TestCommands.get(second).getFirst()).isInstanceOf(Outcome.Renewed.class);
  }

  private static Command bobAsks(LeaseKey key) {
    return Command.Acquire.of(
        key, BOB, new RequestId("bob-" + key.text()), Terms.of("bob", TestCommands.TTL));
  }

  @Test
  void acquires_of_locked_rows_are_told_who_holds_them_and_keep_no_other_waiting()
      throws SQLException {
    List<Token> tokens = acquireAll(50);
    for (int i = 0; i < 50; i++) {
      TestCommands.release(store.leases(), key(i), tokens.get(i));
    }
    for (int i = 0; i < 50; i += 10) {
      lock(key(i));
    }
    List<Outcome> outcomes =
        TestCommands.get(
            store.leases().apply(keys(50).stream().map(LockedRowTest::bobAsks).toList()));
    for (int i = 0; i < 50; i++) {
      if (i % 10 == 0) {
        assertThat(outcomes.get(i))
            .isEqualTo(new Outcome.Held("ann", TestCommands.ANN.id(), tokens.get(i), 0));
      } else {
        assertThat(outcomes.get(i)).isInstanceOf(Outcome.Granted.class);
      }
    }
  }

  /** I8: also if the row is locked, and the caller would be told of itself as another holder. */
  @Test
  void a_repeated_acquire_of_a_locked_row_is_told_of_its_own_grant() throws SQLException {
    List<Command> batch = keys(10).stream().map(LockedRowTest::bobAsks).toList();
    List<Token> tokens =
        TestCommands.get(store.leases().apply(batch)).stream()
            .map(outcome -> ((Outcome.Granted) outcome).grant().token())
            .toList();
    lock(key(0));
    assertThat(TestCommands.outcome(store.leases(), batch.getFirst()))
        .isInstanceOfSatisfying(
            Outcome.Granted.class,
            granted -> assertThat(granted.grant().token()).isEqualTo(tokens.getFirst()));
    assertThat(TestCommands.get(store.leases().apply(batch)))
        .extracting(outcome -> ((Outcome.Granted) outcome).grant().token())
        .containsExactlyElementsOf(tokens);
  }

  /** For any number of commands on one key; the commands behind a locked one wait. */
  @Test
  void each_acquire_of_a_locked_row_is_told_who_holds_it() throws SQLException {
    List<Token> tokens = acquireAll(2);
    releaseAll(tokens.subList(0, 1));
    lock(key(0));
    lock(key(1));
    List<Command> batch = new ArrayList<>(Collections.nCopies(10, bobAsks(key(0))));
    batch.add(TestCommands.releasing(key(1), tokens.get(1)));
    batch.addAll(Collections.nCopies(10, bobAsks(key(1))));
    List<Outcome> outcomes = TestCommands.get(store.leases().apply(batch));
    assertThat(outcomes.subList(0, 10))
        .containsOnly(new Outcome.Held("ann", TestCommands.ANN.id(), tokens.get(0), 0));
    assertThat(outcomes.subList(10, 21)).allSatisfy(LockedRowTest::isNotApplied);
  }

  /** Five seconds, one for each row, would be more than the caller waits. */
  @Test
  void a_batch_waits_for_locked_rows_once() throws SQLException {
    List<Token> tokens = acquireAll(10);
    for (int i = 0; i < 10; i++) {
      lock(key(i));
    }
    List<Outcome> outcomes =
        TestCommands.get(
            store
                .leases()
                .apply(
                    IntStream.range(0, 10)
                        .mapToObj(i -> TestCommands.releasing(key(i), tokens.get(i)))
                        .toList()));
    assertThat(outcomes).hasSize(10).allSatisfy(LockedRowTest::isNotApplied);
  }

  @Test
  void a_locked_row_is_not_purged_and_others_are_not_kept_by_it() throws SQLException {
    List<Token> tokens = acquireAll(2);
    lock(key(0));
    List<Outcome> outcomes =
        TestCommands.get(
            store
                .leases()
                .apply(
                    List.of(
                        new Command.Purge(key(0), 0),
                        Command.Renew.of(key(1), tokens.get(1), TestCommands.ANN),
                        TestCommands.releasing(key(1), tokens.get(1)))));
    isNotApplied(outcomes.get(0));
    assertThat(outcomes.get(1)).isInstanceOf(Outcome.Renewed.class);
    assertThat(outcomes.get(2)).isInstanceOf(Outcome.Released.class);
  }

  private void releaseAll(List<Token> tokens) {
    for (int i = 0; i < tokens.size(); i++) {
      TestCommands.release(store.leases(), key(i), tokens.get(i));
    }
  }

  /**
   * Enough commands that the threads of a lane, if each waited a second for each row, would delay
   * an unrelated caller beyond every time limit.
   */
  @Test
  void commands_on_locked_rows_keep_no_stranger_waiting() throws SQLException {
    List<Token> tokens = acquireAll(16);
    releaseAll(tokens.subList(0, 8));
    for (int i = 0; i < 16; i++) {
      lock(key(i));
    }
    List<CompletableFuture<List<Outcome>>> asked = new ArrayList<>();
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < 16; i++) {
        Command command = i < 8 ? bobAsks(key(i)) : TestCommands.releasing(key(i), tokens.get(i));
        asked.add(store.leases().apply(List.of(command)).toCompletableFuture());
      }
    }
    Token unused = TestCommands.acquireAndRelease(store.leases(), new LeaseKey("lock/stranger"));
    for (CompletableFuture<List<Outcome>> one : asked) {
      assertThat(TestCommands.get(one).getFirst())
          .isInstanceOfAny(Outcome.Held.class, Outcome.Failed.class);
    }
  }

  @Test
  void a_command_is_carried_out_once_its_row_is_free_and_what_follows_on_its_key_after_it()
      throws SQLException {
    Token token = acquireAll(1).getFirst();
    lock(key(0));
    List<Command> batch =
        List.of(
            TestCommands.releasing(key(0), token),
            bobAsks(key(0)),
            Command.Renew.of(key(0), token, TestCommands.ANN));
    CompletableFuture<List<Outcome>> asked = store.leases().apply(batch).toCompletableFuture();
    locker.rollback();
    List<Outcome> outcomes = TestCommands.get(asked);
    while (outcomes.getFirst() instanceof Outcome.Failed) {
      // This machine was too slow: no command was carried out.
      assertThat(outcomes).allSatisfy(LockedRowTest::isNotApplied);
      outcomes = TestCommands.get(store.leases().apply(batch));
    }
    assertThat(outcomes.get(0)).isEqualTo(new Outcome.Released());
    assertThat(outcomes.get(1))
        .isInstanceOfSatisfying(
            Outcome.Granted.class,
            granted -> assertThat(granted.grant().token().isAbove(token)).isTrue());
    assertThat(outcomes.get(2)).isInstanceOf(Outcome.Lost.class);
  }

  @Test
  void a_locked_row_in_a_batch_keeps_its_neighbours_from_nothing() throws SQLException {
    Token token = acquireAll(1).getFirst();
    lock(key(0));
    List<Outcome> outcomes =
        TestCommands.get(
            store.leases().apply(List.of(TestCommands.releasing(key(0), token), bobAsks(key(1)))));
    isNotApplied(outcomes.get(0));
    assertThat(outcomes.get(1)).isInstanceOf(Outcome.Granted.class);
  }
}
