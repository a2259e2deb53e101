package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.Changed;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.GuardedTable.Session;
import dev.leasehold.store.jdbc.effects.AtEffect;
import dev.leasehold.store.jdbc.effects.Effect;
import dev.leasehold.store.jdbc.effects.GuardRefusal;
import java.io.IOException;
import java.io.StringReader;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** A guarded table refuses even its owner, over a plain connection. */
class GuardedTableTest {
  private static final String INSERT_A = "INSERT INTO orders VALUES (2, 'shard/a', 'new')";
  private static final String INSERT_B = "INSERT INTO orders VALUES (2, 'shard/b', 'new')";

  private GuardedTable table;
  private Token ofA;
  private Token ofB;

  String isolation() {
    return "read\\ committed";
  }

  @BeforeEach
  void open() throws SQLException {
    table = new GuardedTable(isolation());
    // So that the tokens of the two keys differ.
    Token unused = TestCommands.acquireAndRelease(table.store.leases(), GuardedTable.A);
    ofA = TestCommands.acquire(table.store.leases(), GuardedTable.A);
    ofB = TestCommands.acquire(table.store.leases(), GuardedTable.B);
    table.schema.execute("INSERT INTO orders VALUES (1, 'shard/a', 'old'), (1, 'shard/b', 'old')");
    table.guardByColumn();
  }

  @AfterEach
  void close() {
    table.close();
  }

  private void everyChangeIsRefused(String state, GuardedTable.Bringing bringing)
      throws SQLException {
    for (String sql :
        new String[] {
          INSERT_A,
          "UPDATE orders SET text = 'x' WHERE lease = 'shard/a'",
          "DELETE FROM orders WHERE lease = 'shard/a'"
        }) {
      try (Session owner = table.owner()) {
        bringing.bring(owner);
        owner.isRefused(state, sql);
        owner.commits();
      }
    }
    assertThat(table.count("orders")).isEqualTo("2");
    assertThat(table.count("orders WHERE text = 'old'")).isEqualTo("2");
  }

  @Test
  void without_a_token_nothing_is_changed() throws SQLException {
    everyChangeIsRefused("LH001", owner -> {});
  }

  @Test
  void nor_with_a_stale_one() throws SQLException {
    TestCommands.release(table.store.leases(), GuardedTable.A, ofA);
    everyChangeIsRefused("LH002", owner -> owner.brings(GuardedTable.A, ofA));
    Token next = TestCommands.acquire(table.store.leases(), GuardedTable.A);
    everyChangeIsRefused("LH002", owner -> owner.brings(GuardedTable.A, ofA));
    try (Session owner = table.owner()) {
      owner.brings(GuardedTable.A, next).isDone(INSERT_A);
    }
  }

  @Test
  void the_first_token_of_a_lease_is_not_called_invented() throws SQLException {
    try (Session owner = table.owner()) {
      assertThat(owner.value("SELECT count(*) FROM orders")).isEqualTo("2");
      Token first = TestCommands.acquire(table.store.leases(), new LeaseKey("shard/c"));
      owner.brings(new LeaseKey("shard/c"), first);
      String insert = "INSERT INTO orders VALUES (3, 'shard/c', 'new')";
      assertThat(owner.does(insert).state().orElse("done")).isIn("done", "40001");
    }
  }

  @Test
  void nor_with_an_invented_one() throws SQLException {
    everyChangeIsRefused("LH003", owner -> owner.brings(GuardedTable.A, ofA.next(0)));
    everyChangeIsRefused("LH003", owner -> owner.brings(GuardedTable.A, Token.HIGHEST));
  }

  @Test
  void nor_with_another_leases() throws SQLException {
    everyChangeIsRefused("LH004", owner -> owner.brings(GuardedTable.B, ofB));
    everyChangeIsRefused("LH002", owner -> owner.brings(GuardedTable.A, ofB));
  }

  /** As a pooled connection would carry the claim into the next transaction. */
  @Test
  void nor_with_what_an_earlier_transaction_has_brought() throws SQLException {
    try (Session owner = table.owner()) {
      owner.brings(GuardedTable.A, ofA);
      String brought = owner.value("SELECT current_setting('leasehold.brought')");
      owner.isDone("UPDATE orders SET text = 'old' WHERE lease = 'shard/a'");
      owner.commits();
      owner.isRefused("LH001", INSERT_A);
      owner.says("SELECT set_config('leasehold.brought', '" + brought + "', false)");
      owner.isRefused("LH001", INSERT_A);
    }
    assertThat(table.count("orders")).isEqualTo("2");
  }

  @Test
  void with_the_current_token_everything_is_as_without_a_guard() throws SQLException {
    try (Session owner = table.owner()) {
      owner.brings(GuardedTable.A, ofA).isDone(INSERT_A);
      owner.isDone("UPDATE orders SET text = 'x' WHERE lease = 'shard/a'");
      owner.isDone("DELETE FROM orders WHERE lease = 'shard/a' AND id = 1");
      owner.commits();
      owner.brings(GuardedTable.A, ofA).brings(GuardedTable.B, ofB).isDone(INSERT_A);
      owner.isDone(INSERT_B);
      owner.commits();
    }
    assertThat(table.count("orders")).isEqualTo("4");
  }

  @Test
  void a_row_moves_from_one_lease_to_another_only_under_both() throws SQLException {
    String move = "UPDATE orders SET lease = 'shard/b' WHERE lease = 'shard/a'";
    try (Session owner = table.owner()) {
      owner.brings(GuardedTable.A, ofA).isRefused("LH004", move);
      owner.brings(GuardedTable.B, ofB).isRefused("LH004", move);
      owner.brings(GuardedTable.A, ofA).brings(GuardedTable.B, ofB).isDone(move);
      owner.brings(GuardedTable.B, ofB);
      owner.isRefused("LH004", "UPDATE orders SET lease = NULL WHERE lease = 'shard/b'");
    }
  }

  @Test
  void another_trigger_cannot_change_the_key_behind_the_guard() throws SQLException {
    table.schema.execute(
        """
        CREATE FUNCTION rekey() RETURNS trigger LANGUAGE plpgsql AS
        'BEGIN NEW.lease := ''shard/b''; RETURN NEW; END'
        """);
    table.schema.execute(
        "CREATE TRIGGER zzz BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION rekey()");
    try (Session owner = table.owner()) {
      owner.brings(GuardedTable.A, ofA).isRefused("LH004", INSERT_A);
    }
  }

  @Test
  void truncate_is_refused_under_every_lease() throws SQLException {
    try (Session owner = table.owner()) {
      owner.isRefused("LH004", "TRUNCATE orders");
      owner.brings(GuardedTable.A, ofA).brings(GuardedTable.B, ofB);
      owner.isRefused("LH004", "TRUNCATE orders");
    }
    assertThat(table.count("orders")).isEqualTo("2");
  }

  @Test
  void copy_is_refused_as_inserts_are() throws SQLException, IOException {
    try (Session owner = table.owner()) {
      assertThat(copied(owner)).isEqualTo("LH001");
      owner.brings(GuardedTable.B, ofB);
      assertThat(copied(owner)).isEqualTo("LH004");
      owner.brings(GuardedTable.A, ofA);
      assertThat(copied(owner)).isEqualTo("done");
      owner.commits();
    }
    assertThat(table.count("orders")).isEqualTo("3");
  }

  private static String copied(Session owner) throws SQLException, IOException {
    try {
      long unused =
          owner
              .connection
              .unwrap(PGConnection.class)
              .getCopyAPI()
              .copyIn("COPY orders FROM STDIN", new StringReader("9\tshard/a\tcopied\n"));
      return "done";
    } catch (SQLException e) {
      owner.connection.rollback();
      return String.valueOf(e.getSQLState());
    }
  }

  @Test
  void a_cascade_from_an_unguarded_table_is_refused() throws SQLException {
    table.schema.execute("CREATE TABLE customers (id integer PRIMARY KEY)");
    table.schema.execute("INSERT INTO customers VALUES (1)");
    table.schema.execute(
        "ALTER TABLE orders ADD FOREIGN KEY (id) REFERENCES customers ON DELETE CASCADE");
    try (Session superuser = table.superuser()) {
      superuser.isRefused("LH001", "DELETE FROM customers");
      superuser.brings(GuardedTable.A, ofA).isRefused("LH004", "DELETE FROM customers");
      superuser.brings(GuardedTable.A, ofA).brings(GuardedTable.B, ofB);
      superuser.isDone("DELETE FROM customers");
    }
  }

  @Test
  void a_superuser_is_refused_also_where_triggers_are_not_fired() throws SQLException {
    try (Session superuser = table.superuser()) {
      superuser.says("SET session_replication_role = replica");
      superuser.commits();
      superuser.isRefused("LH001", INSERT_A);
      superuser.isRefused("LH004", "TRUNCATE orders");
    }
  }

  @Test
  void while_a_change_is_under_way_no_holder_takes_over_and_renewals_go_on() throws SQLException {
    try (Session owner = table.owner()) {
      owner.brings(GuardedTable.A, ofA).isDone(INSERT_A);
      assertThat(
              TestCommands.outcome(
                  table.store.leases(), TestCommands.releasing(GuardedTable.A, ofA)))
          .isInstanceOf(Outcome.Failed.class);
      assertThat(
              TestCommands.outcome(
                  table.store.leases(), Command.Renew.of(GuardedTable.A, ofA, TestCommands.ANN)))
          .isInstanceOf(Outcome.Renewed.class);
      owner.commits();
    }
    TestCommands.release(table.store.leases(), GuardedTable.A, ofA);
  }

  /** At SERIALIZABLE the snapshot is older than the grant; READ COMMITTED takes a new one. */
  @Test
  void what_the_transaction_saw_before_it_was_stopped_does_not_count() throws SQLException {
    try (Session owner = table.owner()) {
      assertThat(owner.value("SELECT count(*) FROM orders")).isEqualTo("2");
      owner.brings(GuardedTable.A, ofA);
      assertThat(
              TestCommands.outcome(
                  table.store.leases(), Command.Renew.of(GuardedTable.A, ofA, TestCommands.ANN)))
          .isInstanceOf(Outcome.Renewed.class);
      TestCommands.release(table.store.leases(), GuardedTable.A, ofA);
      assertThat(owner.does(INSERT_A).state().orElseThrow()).isIn("LH002", "40001");
      owner.brings(GuardedTable.B, ofB);
      assertThat(owner.value("SELECT count(*) FROM orders")).isEqualTo("2");
      var unused = TestCommands.get(table.store.leases().advance(AtEffectContract.advancing()));
      assertThat(owner.does(INSERT_B).state().orElseThrow()).isIn("LH002", "40001");
    }
  }

  /** The token is not made up: at SERIALIZABLE the snapshot does not contain it yet. */
  @Test
  void a_token_that_was_issued_since_the_transaction_began_is_not_called_invented()
      throws SQLException {
    try (Session owner = table.owner()) {
      assertThat(owner.value("SELECT count(*) FROM orders")).isEqualTo("2");
      TestCommands.release(table.store.leases(), GuardedTable.A, ofA);
      Token next = TestCommands.acquire(table.store.leases(), GuardedTable.A);
      owner.brings(GuardedTable.A, next);
      assertThat(owner.does(INSERT_A).state().orElse("done")).isIn("done", "40001");
      owner.brings(GuardedTable.A, next).isDone(INSERT_A);
    }
  }

  @Test
  void changes_at_effect_bring_what_the_guard_asks_for() throws SQLException {
    AtEffect effects = table.store.atEffect("orders", new RefusalTrail(InstantSource.system()));
    Claim claim = Claim.of(GuardedTable.A, ofA);
    Effect<Integer> insert =
        connection -> {
          try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate(INSERT_A);
          }
        };
    assertThat(effects.change(claim, Duration.ofSeconds(30), insert))
        .isEqualTo(new Changed.Made<>(1));
    try (Session owner = table.owner()) {
      AtEffect.Brought both = effects.bring(owner.connection, claim, Claim.of(GuardedTable.B, ofB));
      owner.isDone(INSERT_A);
      owner.isDone(INSERT_B);
      both.close();
      owner.commits();
      assertThatThrownBy(() -> owner.says(INSERT_A))
          .isInstanceOfSatisfying(
              SQLException.class,
              e -> assertThat(GuardRefusal.of(e)).contains(GuardRefusal.NO_TOKEN))
          .hasMessageContaining("Hint: Make the change through AtEffect.change");
    }
    assertThat(table.count("orders")).isEqualTo("5");
  }
}
