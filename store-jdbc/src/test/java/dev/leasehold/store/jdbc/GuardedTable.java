package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.store.jdbc.effects.Guard;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.UUID;

/**
 * A store and a table on a real PostgreSQL, and sessions that change it as any client can: without
 * code of this library. The table belongs to a role that is not a superuser.
 */
final class GuardedTable implements AutoCloseable {
  static final LeaseKey A = new LeaseKey("shard/a");
  static final LeaseKey B = new LeaseKey("shard/b");

  final Schema schema = new Schema();
  final JdbcStore store;
  final String owner = "owner_" + UUID.randomUUID().toString().replace("-", "");
  final String maintainers = "maintainers_" + UUID.randomUUID().toString().replace("-", "");
  private final String url;

  GuardedTable(String isolation) throws SQLException {
    url = schema.url("-c default_transaction_isolation=" + isolation);
    store = JdbcStore.at(url).migrate().open();
    String home = schema.value("SELECT current_schema()");
    schema.execute("CREATE ROLE " + owner);
    schema.execute("CREATE ROLE " + maintainers);
    schema.execute("GRANT USAGE, CREATE ON SCHEMA " + home + " TO " + owner);
    schema.execute("CREATE TABLE orders (id integer, lease text, text text)");
    schema.execute("ALTER TABLE orders OWNER TO " + owner);
  }

  void guardByColumn() {
    Guard unused = TestCommands.get(store.guards().install(Guard.byColumn("orders", "lease")));
  }

  /** The result of one statement: how many rows it changed, or the SQL state of the refusal. */
  record Result(int rows, Optional<String> state) {
    static Result changed(int rows) {
      return new Result(rows, Optional.empty());
    }

    static Result refused(String state) {
      return new Result(0, Optional.of(state));
    }
  }

  /** The claim that a session declares before a change. */
  interface Bringing {
    void bring(Session session) throws SQLException;
  }

  /** A client's session, in a transaction. */
  final class Session implements AutoCloseable {
    final Connection connection;

    private Session(String role) throws SQLException {
      connection = DriverManager.getConnection(url);
      try (Statement statement = connection.createStatement()) {
        if (!role.isEmpty()) {
          statement.execute("SET SESSION AUTHORIZATION " + role);
        }
      }
      connection.setAutoCommit(false);
    }

    Session brings(LeaseKey key, Token token) throws SQLException {
      return says("SELECT leasehold_bring('" + key + "', " + token + ")");
    }

    Session says(String sql) throws SQLException {
      try (Statement statement = connection.createStatement()) {
        boolean unused = statement.execute(sql);
      }
      return this;
    }

    /** Runs in the open transaction; a refusal ends it. */
    Result does(String sql) throws SQLException {
      try (Statement statement = connection.createStatement()) {
        return Result.changed(executed(statement, sql));
      } catch (SQLException e) {
        connection.rollback();
        return Result.refused(String.valueOf(e.getSQLState()));
      }
    }

    private static int executed(Statement statement, String sql) throws SQLException {
      return statement.execute(sql) ? 0 : statement.getUpdateCount();
    }

    void isRefused(String state, String sql) throws SQLException {
      assertThat(does(sql)).as(sql).isEqualTo(Result.refused(state));
    }

    void isDone(String sql) throws SQLException {
      assertThat(does(sql).state()).as(sql).isEmpty();
    }

    void commits() throws SQLException {
      connection.commit();
    }

    String value(String sql) throws SQLException {
      try (Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery(sql)) {
        return rows.next() ? rows.getString(1) : "";
      }
    }

    @Override
    public void close() throws SQLException {
      connection.close();
    }
  }

  Session owner() throws SQLException {
    return new Session(owner);
  }

  Session superuser() throws SQLException {
    return new Session("");
  }

  String count(String table) throws SQLException {
    return schema.value("SELECT count(*) FROM " + table);
  }

  @Override
  public void close() {
    store.close();
    schema.close();
    try (Connection admin = DriverManager.getConnection(PostgresServer.url());
        Statement statement = admin.createStatement()) {
      statement.execute("DROP ROLE " + owner);
      statement.execute("DROP ROLE " + maintainers);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
