package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.objects.model.Expectation;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.model.Payload;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Objects whose rows a user's transaction keeps locked for the whole test. */
class LockedObjectTest {
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

  private static ObjectName name(int number) {
    return ObjectName.of("sandbox", "s" + number);
  }

  private static ObjectCommand put(ObjectName name) {
    return new ObjectCommand.Put(
        name, Payload.ofText("x"), Expectation.ANYTHING, Optional.empty(), RequestId.random());
  }

  private static ObjectCommand delete(ObjectName name) {
    return new ObjectCommand.Delete(
        name, Expectation.ANYTHING, Optional.empty(), RequestId.random());
  }

  private List<ObjectOutcome> apply(List<ObjectCommand> batch) {
    return TestCommands.get(store.objects().apply(batch));
  }

  private void make(int count) {
    assertThat(apply(IntStream.range(0, count).mapToObj(i -> put(name(i))).toList()))
        .allSatisfy(outcome -> assertThat(outcome).isInstanceOf(ObjectOutcome.Created.class));
  }

  private void lock(ObjectName name) throws SQLException {
    try (PreparedStatement statement =
        locker.prepareStatement(
            "SELECT * FROM leasehold_object WHERE type = ? AND id = ? FOR UPDATE")) {
      statement.setString(1, name.type());
      statement.setString(2, name.id());
      assertThat(statement.executeQuery().next()).isTrue();
    }
  }

  private static void isNotApplied(ObjectOutcome outcome) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            ObjectOutcome.Failed.class,
            failed -> {
              assertThat(failed.certainty()).isEqualTo(Certainty.NOT_APPLIED);
              assertThat(failed.detail()).contains("locked by another");
            });
  }

  /** Both by array statements and by the rules. */
  @Test
  void a_locked_row_keeps_its_neighbours_from_nothing() throws SQLException {
    make(40);
    lock(name(7));
    lock(name(27));
    List<ObjectOutcome> outcomes =
        apply(
            IntStream.range(0, 40).mapToObj(i -> i < 20 ? put(name(i)) : delete(name(i))).toList());
    for (int i = 0; i < 40; i++) {
      if (i == 7 || i == 27) {
        isNotApplied(outcomes.get(i));
      } else {
        assertThat(outcomes.get(i))
            .isInstanceOfAny(ObjectOutcome.Replaced.class, ObjectOutcome.Deleted.class);
      }
    }
  }

  private static String detail(ObjectOutcome outcome) {
    isNotApplied(outcome);
    return ((ObjectOutcome.Failed) outcome).detail();
  }

  /** It is looked up beside the writes, once the row has been locked for a second. */
  @Test
  @Timeout(60)
  void who_has_a_row_locked_is_named() throws SQLException {
    make(1);
    locker.setClientInfo("ApplicationName", "a report");
    lock(name(0));
    String detail = detail(apply(List.of(put(name(0)))).getFirst());
    while (!detail.contains("a report")) {
      detail = detail(apply(List.of(put(name(0)))).getFirst());
    }
    assertThat(detail).contains("locked by another transaction: ");
  }

  /** So many that two threads, each waiting a second for each, would be busy for long. */
  @Test
  void writes_of_locked_rows_keep_no_stranger_waiting() throws SQLException {
    make(8);
    for (int i = 0; i < 8; i++) {
      lock(name(i));
    }
    List<CompletableFuture<List<ObjectOutcome>>> asked = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      asked.add(store.objects().apply(List.of(put(name(i % 8)))).toCompletableFuture());
    }
    assertThat(apply(List.of(put(ObjectName.of("sandbox", "stranger")))))
        .first()
        .isInstanceOf(ObjectOutcome.Created.class);
    for (CompletableFuture<List<ObjectOutcome>> one : asked) {
      isNotApplied(TestCommands.get(one).getFirst());
    }
  }

  @Test
  void a_write_is_made_once_its_row_is_free_and_what_follows_on_its_object_after_it()
      throws SQLException {
    make(1);
    lock(name(0));
    List<ObjectCommand> batch = List.of(delete(name(0)), put(name(0)));
    CompletableFuture<List<ObjectOutcome>> asked =
        store.objects().apply(batch).toCompletableFuture();
    locker.rollback();
    List<ObjectOutcome> outcomes = TestCommands.get(asked);
    while (outcomes.getFirst() instanceof ObjectOutcome.Failed) {
      // This machine was too slow: no command was carried out.
      assertThat(outcomes).allSatisfy(LockedObjectTest::isNotApplied);
      outcomes = TestCommands.get(store.objects().apply(batch));
    }
    assertThat(outcomes.get(0)).isInstanceOf(ObjectOutcome.Deleted.class);
    assertThat(outcomes.get(1)).isInstanceOf(ObjectOutcome.Created.class);
  }

  /** The second write needs no lease, so nothing but the first keeps it from being made. */
  @Test
  void a_write_does_not_overtake_one_on_its_object_that_waits_for_a_lease() throws SQLException {
    LeaseKey key = new LeaseKey("lock/sandbox");
    Claim claim = Claim.of(key, TestCommands.acquire(store.leases(), key));
    make(1);
    try (Statement statement = locker.createStatement()) {
      statement.execute("SELECT * FROM leasehold_lease FOR UPDATE");
    }
    List<ObjectOutcome> outcomes =
        apply(
            List.of(
                new ObjectCommand.Put(
                    name(0),
                    Payload.ofText("first"),
                    Expectation.ANYTHING,
                    Optional.of(claim),
                    RequestId.random()),
                put(name(0))));
    assertThat(outcomes).hasSize(2).allSatisfy(LockedObjectTest::isNotApplied);
  }
}
