package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.Token;
import dev.leasehold.store.jdbc.GuardedTable.Session;
import dev.leasehold.store.jdbc.effects.Guard;
import dev.leasehold.store.jdbc.effects.GuardHole;
import java.sql.SQLException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which tables can be guarded, which roles pass, which holes are open, and how guards go. */
class GuardPlacesTest {
  private static final String INSERT_A = "INSERT INTO orders VALUES (2, 'shard/a', 'new')";

  private static final String TRAPPED =
      """
      CREATE TYPE %1$s.trap AS (x integer);
      CREATE FUNCTION %1$s.spring(%1$s.trap) RETURNS text LANGUAGE plpgsql AS
      $$BEGIN RAISE EXCEPTION 'runs as %%', current_user USING ERRCODE = 'TRAP1'; END$$;
      CREATE CAST (%1$s.trap AS text) WITH FUNCTION %1$s.spring(%1$s.trap) AS IMPLICIT;
      CREATE TEMP TABLE bait (id integer, lease %1$s.trap);
      """;

  private GuardedTable table;
  private Token ofA;
  private Token ofB;

  @BeforeEach
  void open() throws SQLException {
    table = new GuardedTable("read\\ committed");
    ofA = TestCommands.acquire(table.store.leases(), GuardedTable.A);
    ofB = TestCommands.acquire(table.store.leases(), GuardedTable.B);
  }

  @AfterEach
  void close() {
    table.close();
  }

  private void install(Guard guard) {
    assertThat(TestCommands.get(table.store.guards().install(guard))).isEqualTo(guard);
  }

  private void makeParted() throws SQLException {
    table.schema.execute(
        "CREATE TABLE parted (id integer, lease text, text text) PARTITION BY RANGE (id)");
    part("low", 0, 10);
    part("high", 10, 20);
    table.schema.execute("ALTER TABLE parted OWNER TO " + table.owner);
    install(Guard.byColumn("parted", "lease"));
  }

  private void part(String name, int from, int to) throws SQLException {
    table.schema.execute(
        "CREATE TABLE %s PARTITION OF parted FOR VALUES FROM (%d) TO (%d)"
            .formatted(name, from, to));
    table.schema.execute("ALTER TABLE " + name + " OWNER TO " + table.owner);
  }

  @Test
  void partitions_are_guarded_under_every_name_they_are_changed_by() throws SQLException {
    makeParted();
    try (Session owner = table.owner()) {
      for (String name : new String[] {"parted", "low"}) {
        String insert = "INSERT INTO " + name + " VALUES (1, 'shard/a', 'x')";
        owner.isRefused("LH001", insert);
        owner.brings(GuardedTable.B, ofB).isRefused("LH004", insert);
        owner.brings(GuardedTable.A, ofA).isDone(insert);
        owner.commits();
        owner.isRefused("LH001", "UPDATE " + name + " SET text = 'y'");
        owner.isRefused("LH001", "DELETE FROM " + name);
        owner.isRefused("LH004", "TRUNCATE " + name);
      }
      String move = "UPDATE parted SET id = 15, lease = 'shard/b'";
      owner.brings(GuardedTable.A, ofA).isRefused("LH004", move);
      owner.brings(GuardedTable.B, ofB).isRefused("LH004", move);
      owner.brings(GuardedTable.A, ofA).brings(GuardedTable.B, ofB).isDone(move);
    }
    try (Session superuser = table.superuser()) {
      superuser.says("SET session_replication_role = replica");
      superuser.isRefused("LH001", "DELETE FROM low");
    }
    assertThat(TestCommands.get(table.store.guards().holes())).isEmpty();
  }

  @Test
  void a_partition_that_comes_later_is_guarded_but_for_truncate() throws SQLException {
    makeParted();
    part("late", 20, 30);
    try (Session owner = table.owner()) {
      owner.isRefused("LH001", "INSERT INTO late VALUES (21, 'shard/a', 'x')");
      owner.isRefused("LH004", "TRUNCATE parted");
    }
    try (Session superuser = table.superuser()) {
      superuser.says("SET session_replication_role = replica");
      superuser.commits();
      superuser.isRefused("LH001", "INSERT INTO late VALUES (21, 'shard/a', 'x')");
    }
    assertThat(TestCommands.get(table.store.guards().holes()))
        .containsExactly(new GuardHole("late", "TRUNCATE is not guarded: install the guard again"));
    install(Guard.byColumn("parted", "lease"));
    assertThat(TestCommands.get(table.store.guards().holes())).isEmpty();
    assertThat(TestCommands.get(table.store.guards().list())).hasSize(1);
    try (Session owner = table.owner()) {
      owner.isRefused("LH004", "TRUNCATE late");
    }
  }

  @Test
  void heirs_are_guarded_too_once_it_is_installed_again() throws SQLException {
    table.guardByColumn();
    table.schema.execute("CREATE TABLE heirs () INHERITS (orders)");
    table.guardByColumn();
    assertThat(TestCommands.get(table.store.guards().holes())).isEmpty();
    table.schema.execute("DROP TRIGGER leasehold_guard ON orders");
    table.schema.execute("DROP TRIGGER leasehold_guard_truncate ON orders");
    table.schema.execute("DROP TABLE heirs");
    table.guardByColumn();
    assertThat(TestCommands.get(table.store.guards().holes())).isEmpty();
    assertThat(TestCommands.get(table.store.guards().list())).hasSize(1);
  }

  @Test
  void a_guard_is_removed_from_the_table_it_was_put_before_and_from_no_other() throws SQLException {
    makeParted();
    assertThatThrownBy(() -> removing("low"))
        .hasMessageContaining("low is guarded as a part of parted: remove the guard there");
    table.schema.execute("ALTER TABLE parted DETACH PARTITION high");
    removing("high");
    assertThat(TestCommands.get(table.store.guards().holes())).isEmpty();
    assertThat(TestCommands.get(table.store.guards().list())).hasSize(1);

    table.guardByColumn();
    table.schema.execute("ALTER TABLE orders RENAME TO orders_old");
    table.schema.execute("CREATE TABLE orders (id integer, lease text, text text)");
    assertThatThrownBy(() -> removing("orders"))
        .hasMessageContaining("no guard stands before a table orders");
    try (Session owner = table.owner()) {
      owner.isRefused("LH001", "INSERT INTO low VALUES (1, 'shard/a', 'x')");
      owner.isRefused("LH001", "INSERT INTO orders_old VALUES (1, 'shard/a', 'x')");
    }
  }

  private void removing(String name) {
    var unused = table.store.guards().remove(name).toCompletableFuture().join();
  }

  /** The guard runs with its installer's rights: others must not make it run their code. */
  @Test
  void no_role_can_borrow_the_rights_of_a_guard() throws SQLException {
    table.guardByColumn();
    String home = table.schema.value("SELECT current_schema()");
    String guard =
        table.schema.value("SELECT 'leasehold_guard_' || id || '()' FROM leasehold_guard");
    String attach =
        "CREATE TRIGGER t AFTER INSERT ON bait FOR EACH ROW EXECUTE FUNCTION " + home + "." + guard;
    table.schema.execute("GRANT USAGE, CREATE ON SCHEMA " + home + " TO " + table.maintainers);
    try (Session mallory = table.superuser()) {
      mallory.says("SET SESSION AUTHORIZATION " + table.maintainers);
      mallory.says(TRAPPED.formatted(home)).isRefused("42501", attach);
    }
    try (Session owner = table.owner()) {
      owner.says(TRAPPED.formatted(home)).says(attach);
      owner.isRefused("LH004", "INSERT INTO bait VALUES (1, ROW(1))");
    }
  }

  @Test
  void an_overload_of_the_check_is_not_called_instead() throws SQLException {
    table.schema.execute("ALTER TABLE orders ALTER COLUMN lease TYPE varchar(40)");
    table.schema.execute(
        "CREATE FUNCTION leasehold_guard_admit(integer, oid, varchar) RETURNS void LANGUAGE sql"
            + " AS ''");
    table.guardByColumn();
    try (Session owner = table.owner()) {
      owner.isRefused("LH001", INSERT_A);
    }
  }

  @Test
  void the_owner_of_the_table_can_add_partitions() throws SQLException {
    makeParted();
    try (Session owner = table.owner()) {
      owner.isDone("CREATE TABLE late PARTITION OF parted FOR VALUES FROM (20) TO (30)");
      owner.isRefused("LH001", "INSERT INTO parted VALUES (1, 'shard/a', 'x')");
    }
  }

  @Test
  void a_table_of_one_lease_is_emptied_under_it() throws SQLException {
    install(Guard.byKey("orders", GuardedTable.A));
    try (Session owner = table.owner()) {
      owner.isRefused("LH001", "INSERT INTO orders VALUES (1, 'whatever', 'x')");
      owner.brings(GuardedTable.B, ofB).isRefused("LH004", INSERT_A);
      owner.brings(GuardedTable.A, ofA).isDone(INSERT_A);
      owner.isDone("UPDATE orders SET lease = 'whatever'");
      owner.commits();
      owner.isRefused("LH001", "TRUNCATE orders");
      owner.brings(GuardedTable.A, ofA).isDone("TRUNCATE orders");
    }
    assertThat(TestCommands.get(table.store.guards().list()))
        .containsExactly(Guard.byKey("orders", GuardedTable.A));
  }

  @Test
  void members_of_the_maintenance_role_pass_with_a_reason_and_are_recorded() throws SQLException {
    install(Guard.byColumn("orders", "lease").maintainedBy(table.maintainers));
    try (Session owner = table.owner()) {
      owner.says("SELECT leasehold_maintain('I own it')").isRefused("LH001", INSERT_A);
    }
    table.schema.execute("GRANT " + table.maintainers + " TO " + table.owner);
    try (Session owner = table.owner()) {
      owner.isRefused("LH001", INSERT_A);
      owner.isRefused("LH005", "SELECT leasehold_maintain(' ')");
      owner.says("SELECT leasehold_maintain('repair of ticket 7')").isDone(INSERT_A);
      owner.isDone("TRUNCATE orders");
      owner.commits();
      owner.isRefused("LH001", INSERT_A);
      owner.says("SELECT leasehold_maintain('rolled back')").isDone(INSERT_A);
    }
    assertThat(TestCommands.get(table.store.guards().passes()))
        .singleElement()
        .satisfies(
            pass -> {
              assertThat(pass.table()).isEqualTo("orders");
              assertThat(pass.who()).isEqualTo(table.owner);
              assertThat(pass.reason()).isEqualTo("repair of ticket 7");
            });
  }

  @Test
  void what_stands_open_is_told() throws SQLException {
    table.guardByColumn();
    assertThat(TestCommands.get(table.store.guards().holes())).isEmpty();
    table.schema.execute("ALTER TABLE orders DISABLE TRIGGER leasehold_guard");
    table.schema.execute("ALTER TABLE orders ENABLE TRIGGER leasehold_guard_truncate");
    assertThat(TestCommands.get(table.store.guards().holes()))
        .containsExactly(
            new GuardHole("orders", "trigger leasehold_guard is switched off"),
            new GuardHole(
                "orders",
                "trigger leasehold_guard_truncate is not fired for every session (ENABLE ALWAYS)"));
    table.schema.execute("DROP TRIGGER leasehold_guard ON orders");
    table.schema.execute("ALTER TABLE orders ENABLE ALWAYS TRIGGER leasehold_guard_truncate");
    table.schema.execute("CREATE TABLE heirs () INHERITS (orders)");
    assertThat(TestCommands.get(table.store.guards().holes()))
        .extracting(GuardHole::table)
        .containsExactly("heirs", "heirs", "orders");
    table.schema.execute("DROP TRIGGER leasehold_guard_truncate ON orders");
    assertThat(TestCommands.get(table.store.guards().holes()))
        .singleElement()
        .extracting(GuardHole::what)
        .asString()
        .contains("are gone");
  }

  @Test
  void remove_takes_everything_away_again() throws SQLException {
    String things =
        """
        SELECT (SELECT count(*) FROM pg_trigger WHERE tgname LIKE 'leasehold_guard%' AND tgrelid IN
                 (SELECT oid FROM pg_class WHERE relnamespace = current_schema()::regnamespace)) ||
               ' ' || (SELECT count(*) FROM pg_proc WHERE proname ~ '^leasehold_guard_[0-9]+$'
                          AND pronamespace = current_schema()::regnamespace) ||
               ' ' || (SELECT count(*) FROM leasehold_guard)
        """;
    table.guardByColumn();
    makeParted();
    table.schema.execute("ALTER TABLE orders RENAME TO renamed");
    assertThat(table.schema.value(things)).isEqualTo("8 2 2");
    assertThat(TestCommands.get(table.store.guards().list()))
        .extracting(Guard::table)
        .containsExactly("parted", "renamed");
    assertThat(TestCommands.get(table.store.guards().remove("renamed"))).isEqualTo("renamed");
    assertThat(TestCommands.get(table.store.guards().remove("parted"))).isEqualTo("parted");
    assertThat(table.schema.value(things)).isEqualTo("0 0 0");
    try (Session owner = table.owner()) {
      owner.isDone("INSERT INTO renamed VALUES (1, 'shard/a', 'x')");
      owner.isDone("INSERT INTO low VALUES (1, 'shard/a', 'x')");
      owner.isDone("TRUNCATE parted");
    }
    table.schema.execute("ALTER TABLE renamed RENAME TO orders");
    table.guardByColumn();
    table.schema.execute("DROP TABLE orders");
    assertThat(TestCommands.get(table.store.guards().remove("orders"))).isEqualTo("orders");
    assertThat(table.schema.value(things)).isEqualTo("0 0 0");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nowhere         | lease | there is no table nowhere
          a_view          | lease | a_view is no table, and only tables can be guarded
          orders          | leese | table orders has no column leese
          orders          | id    | column id of table orders is of type integer: keys are text
          leasehold_lease | key   | leasehold_lease is a table of the store itself
          """)
  void what_cannot_be_guarded_is_told(String name, String column, String expected)
      throws SQLException {
    table.schema.execute("CREATE VIEW a_view AS SELECT * FROM orders");
    assertThatThrownBy(() -> installing(Guard.byColumn(name, column)))
        .hasCauseInstanceOf(IllFormedException.class)
        .cause()
        .hasMessageStartingWith(expected);
  }

  private void installing(Guard guard) {
    var unused = table.store.guards().install(guard).toCompletableFuture().join();
  }

  @Test
  void nor_twice_nor_for_a_role_that_is_not_there_nor_by_another() throws SQLException {
    assertThatThrownBy(() -> installing(Guard.byColumn("orders", "lease").maintainedBy("nobody")))
        .hasMessageContaining("there is no role nobody");
    table.guardByColumn();
    assertThatThrownBy(() -> installing(Guard.byKey("orders", GuardedTable.A)))
        .hasMessageContaining("orders is guarded already in another way");
    assertThatThrownBy(() -> table.store.guards().remove("heirs").toCompletableFuture().join())
        .isInstanceOf(CompletionException.class)
        .hasMessageContaining("no guard stands before a table heirs");
    try (Session maintainer = table.superuser()) {
      String home = maintainer.value("SELECT current_schema()");
      maintainer.says("GRANT USAGE, CREATE ON SCHEMA " + home + " TO " + table.maintainers);
      maintainer.says("GRANT ALL ON ALL TABLES IN SCHEMA " + home + " TO " + table.maintainers);
      maintainer.says("SET SESSION AUTHORIZATION " + table.maintainers);
      maintainer.isRefused("LH011", "SELECT leasehold_guard_remove('orders')");
      maintainer.says("RESET SESSION AUTHORIZATION");
    }
  }
}
