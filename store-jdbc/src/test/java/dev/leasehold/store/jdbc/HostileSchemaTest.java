package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Changed;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.fence.Token;
import dev.leasehold.fence.jdbc.ClaimRefusedException;
import dev.leasehold.fence.jdbc.JdbcFence;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.ListQuery;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.effects.AtEffect;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A schema that comes before {@code pg_catalog} in the path of every connection has a function and
 * an operator in place of each built-in one. No statement of the store may call any of them.
 */
class HostileSchemaTest {
  private static final String HOSTILE = "hostile_to_leases";
  private static final LeaseKey KEY = GuardedTable.A;
  private static final Duration TRUST = Duration.ofSeconds(30);

  private GuardedTable table;
  private String home;
  private JdbcStore store;
  private AtEffect effects;

  @BeforeAll
  static void plant() throws SQLException, IOException {
    try (InputStream file = HostileSchemaTest.class.getResourceAsStream("hostile-schema.sql")) {
      String script =
          new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
      asAdmin(script.replace("HOSTILE", HOSTILE));
    }
  }

  @AfterAll
  static void uproot() throws SQLException {
    asAdmin("SET client_min_messages = warning; DROP SCHEMA " + HOSTILE + " CASCADE");
  }

  private static void asAdmin(String sql) throws SQLException {
    try (Connection admin = DriverManager.getConnection(PostgresServer.url());
        Statement statement = admin.createStatement()) {
      statement.execute(sql);
    }
  }

  @BeforeEach
  void open() throws SQLException {
    asAdmin("ALTER SEQUENCE " + HOSTILE + ".calls RESTART");
    table = new GuardedTable("read\\ committed");
    table.guardByColumn();
    home = table.schema.name();
    table.schema.execute("CREATE TABLE unguarded (id integer)");
    store = JdbcStore.at(url()).open();
    effects = store.atEffect("orders", new RefusalTrail(InstantSource.system()));
  }

  @AfterEach
  void nothingWasCalled() throws SQLException {
    store.close();
    String called = table.schema.value("SELECT is_called FROM " + HOSTILE + ".calls");
    table.close();
    assertThat(called).isEqualTo("f");
  }

  private String url() {
    String path = home + "%2Cpg_catalog";
    return table.schema.url("").replace(path, HOSTILE + "%2C" + path);
  }

  private Claim claim(Token token) {
    return Claim.of(KEY, token).ofInstance(TestCommands.ANN.id().text());
  }

  private int insert(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.executeUpdate("INSERT INTO " + home + ".orders VALUES (7, 'shard/a', 'x')");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void commands_of_the_store(boolean ownPool) {
    PGSimpleDataSource pool = new PGSimpleDataSource();
    pool.setUrl(url());
    try (JdbcStore opened = (ownPool ? JdbcStore.at(url()) : JdbcStore.on(pool)).open()) {
      Token token = TestCommands.acquire(opened.leases(), KEY);
      assertThat(
              TestCommands.outcome(opened.leases(), Command.Renew.of(KEY, token, TestCommands.ANN)))
          .isInstanceOf(Outcome.Renewed.class);
      assertThat(TestCommands.get(opened.leases().list(ListQuery.all(""))).items()).isNotEmpty();
      TestCommands.release(opened.leases(), KEY, token);
      assertThat(TestCommands.get(opened.part(PastGrants.class).orElseThrow().of(KEY))).isNotNull();
      assertThat(TestCommands.get(opened.tidy())).isNotNull();
      assertThat(TestCommands.get(opened.diagnostics().schemaCreators()).schema()).isEqualTo(home);
      assertThat(TestCommands.get(opened.diagnostics().examine(InstantSource.system())))
          .isNotNull();
      assertThat(TestCommands.get(opened.part(RowLocks.class).orElseThrow().longerThan(TRUST)))
          .isEmpty();
    }
  }

  @Test
  void a_change_and_its_refusals() throws SQLException {
    Token old = TestCommands.acquireAndRelease(store.leases(), KEY);
    Token token = TestCommands.acquire(store.leases(), KEY);
    assertThat(effects.change(claim(token), TRUST, this::insert)).isEqualTo(new Changed.Made<>(1));
    assertThat(effects.change(claim(old), TRUST, this::insert))
        .isEqualTo(new Changed.NotMade<>(new Admission.Stale(token)));
    assertThat(effects.admit(claim(token))).isEqualTo(Admission.ADMITTED);
    assertThat(effects.seal(claim(token))).isEqualTo(Admission.ADMITTED);
  }

  @Test
  void checks_in_a_transaction_of_the_users() throws SQLException {
    Token old = TestCommands.acquireAndRelease(store.leases(), KEY);
    Token token = TestCommands.acquire(store.leases(), KEY);
    try (Connection connection = DriverManager.getConnection(url())) {
      connection.setAutoCommit(false);
      effects.check(connection, claim(token), TRUST);
      AtEffect.Brought unused = effects.bring(connection, claim(token));
      assertThat(insert(connection)).isOne();
      assertThat(changedByFragment(connection, claim(token))).isOne();
      assertThat(effects.explain(connection, claim(old))).isEqualTo(new Admission.Stale(token));
      assertThatThrownBy(() -> effects.check(connection, claim(old), TRUST))
          .isInstanceOf(ClaimRefusedException.class);
      connection.rollback();
    }
  }

  private int changedByFragment(Connection connection, Claim claim) throws SQLException {
    String sql = "INSERT INTO " + home + ".unguarded (id) SELECT 1 WHERE " + effects.fragment();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      effects.bind(statement, 1, claim, TRUST);
      return statement.executeUpdate();
    }
  }

  @Test
  void marks() throws SQLException {
    Token token = TestCommands.acquire(store.leases(), KEY);
    JdbcFence fence = store.fence("orders");
    assertThat(fence.seal(claim(token))).isEqualTo(Admission.ADMITTED);
    assertThat(fence.admit(claim(token))).isEqualTo(Admission.ADMITTED);
    try (Connection connection = DriverManager.getConnection(url())) {
      connection.setAutoCommit(false);
      fence.admitIn(connection, claim(token), TRUST);
      assertThatThrownBy(() -> fence.admitIn(connection, Claim.of(KEY, new Token(1)), TRUST))
          .isInstanceOf(ClaimRefusedException.class);
      connection.rollback();
    }
  }

  /** The queries of the audit and of doctor, with the store's own role. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void what_is_told_of_guarded_tables(boolean ownPool) {
    PGSimpleDataSource pool = new PGSimpleDataSource();
    pool.setUrl(url());
    try (JdbcStore opened = (ownPool ? JdbcStore.at(url()) : JdbcStore.on(pool)).open()) {
      assertThat(TestCommands.get(opened.leases().ledger().read()).tables().guarded())
          .containsExactly("orders");
      assertThat(TestCommands.get(opened.guards().list())).hasSize(1);
      assertThat(TestCommands.get(opened.guards().holes())).isEmpty();
      assertThat(TestCommands.get(opened.guards().passes())).isEmpty();
    }
  }
}
