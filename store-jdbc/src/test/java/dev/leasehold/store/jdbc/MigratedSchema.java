package dev.leasehold.store.jdbc;

import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.opening.Migrations;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.sql.SQLException;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Supplier;
import org.junit.jupiter.api.Assumptions;

/**
 * A schema with the tables of a new store, and with a clock that a test sets: the clock shows the
 * value of a sequence, which every session sees at once, in any snapshot. Creating all tables takes
 * longer than most tests do, so the next test reuses the schema of a finished one with its first
 * rows, unless that test has changed more than rows.
 */
final class MigratedSchema implements AutoCloseable {
  private static final int MOST_ATTEMPTS = 20;
  private static final Map<Kind, Deque<MigratedSchema>> FREE = new ConcurrentHashMap<>();

  static {
    if (PostgresServer.isGiven()) {
      Runtime.getRuntime().addShutdownHook(new Thread(MigratedSchema::dropAll));
    }
  }

  private final Kind kind;
  private final Schema schema;
  private final String shape;

  /** The parameters that the rows of a new store depend on. */
  private record Kind(String server, boolean onCluster, Dialect dialect, long startMillis) {
    static Kind of(Dialect dialect, long startMillis) {
      Optional<String> cluster = PostgresServer.cluster();
      boolean onCluster = dialect.equals(Dialect.COCKROACHDB) && cluster.isPresent();
      String server = onCluster ? cluster.orElseThrow() : PostgresServer.url();
      return new Kind(server, onCluster, dialect, startMillis);
    }
  }

  private MigratedSchema(Kind kind, Schema schema) throws SQLException {
    this.kind = kind;
    this.schema = schema;
    makeClock();
    setClock(kind.startMillis());
    if (kind.onCluster()) {
      requireThatTheClockIsSet();
      this.shape = "";
    } else {
      migrate();
      this.shape = schema.shape();
    }
  }

  static MigratedSchema of(Dialect dialect, long startMillis) {
    Kind kind = Kind.of(dialect, startMillis);
    MigratedSchema free = free(kind).poll();
    if (free != null) {
      return free;
    }
    Schema schema = new Schema(kind.server());
    try {
      return new MigratedSchema(kind, schema);
    } catch (SQLException e) {
      schema.close();
      throw new IllegalStateException(e);
    }
  }

  private static Deque<MigratedSchema> free(Kind kind) {
    return FREE.computeIfAbsent(kind, unused -> new ConcurrentLinkedDeque<>());
  }

  private void makeClock() throws SQLException {
    schema.execute("CREATE SEQUENCE test_clock MINVALUE 0");
    if (kind.dialect().equals(Dialect.COCKROACHDB)) {
      schema.execute(
          """
          CREATE FUNCTION clock_timestamp() RETURNS timestamptz VOLATILE LANGUAGE sql AS
          'SELECT to_timestamp(0) + last_value * interval ''1 millisecond'' FROM test_clock'
          """);
    }
    if (!kind.onCluster()) {
      // Also for the store's founding, which is PostgreSQL's own here.
      PostgresServer.letClockBeSet();
    }
  }

  /** CockroachDB may resolve its own function first, and then a test cannot set the time. */
  private void requireThatTheClockIsSet() {
    String now;
    try {
      now = schema.value(Dialect.COCKROACHDB.sql().get("clock"));
    } catch (SQLException e) {
      now = String.valueOf(e.getMessage());
    }
    if (!now.equals(String.valueOf(kind.startMillis()))) {
      schema.close();
      Assumptions.abort("the clock of this cluster cannot be set by a function; it says " + now);
    }
  }

  private void migrate() throws SQLException {
    if (kind.dialect().equals(Dialect.COCKROACHDB)) {
      // Column families are all that PostgreSQL does not know of CockroachDB's schema.
      schema.execute(
          new Migrations(Dialect.COCKROACHDB)
              .text()
              .replaceAll("(?m)^ *--.*$", "")
              .replaceAll(",\\s*FAMILY \\w+ \\([^)]*\\)", ""));
    }
    // The tables of CockroachDB are there by now; the rest of a migration is the same for both.
    List<String> unused = patiently(() -> JdbcStore.at(url("")).schema(StoreSchema::apply));
    if (kind.dialect().equals(Dialect.COCKROACHDB)) {
      // No trigger there makes up for a floor that a purge forgets.
      schema.execute(
          "DROP TRIGGER leasehold_keep_floor ON leasehold_lease;"
              + " DROP TRIGGER leasehold_keep_object_floor ON leasehold_object");
      // CockroachDB does not say which cluster it is.
      schema.execute("UPDATE leasehold_store SET system_id = '', timeline = 0");
    }
    schema.keepAsEmpty();
  }

  /** On a busy machine a store may need longer to create its tables than a process would wait. */
  static <T> T patiently(Supplier<T> opening) {
    for (int left = MOST_ATTEMPTS; true; left--) {
      try {
        return opening.get();
      } catch (StoreUnusableException e) {
        if (left == 0 || !String.valueOf(e.getMessage()).contains("did not answer within")) {
          throw e;
        }
      }
    }
  }

  Schema schema() {
    return schema;
  }

  /** With more options of the server, as in {@code -c fsync=on}. */
  String url(String options) {
    return schema.url(options + " -c test.clock=" + schema.name() + ".test_clock");
  }

  void setClock(long epochMillis) {
    try {
      schema.execute("SELECT setval('test_clock', " + epochMillis + ")");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Kept for reuse if possible. */
  @Override
  public void close() {
    Optional<MigratedSchema> next = emptied();
    next.ifPresentOrElse(free(kind)::add, schema::close);
  }

  private Optional<MigratedSchema> emptied() {
    try {
      if (kind.onCluster()) {
        return Optional.empty();
      }
      schema.dropOtherTables();
      if (!schema.shape().equals(shape)) {
        return Optional.empty();
      }
      schema.empty();
      return Optional.of(this);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void dropAll() {
    FREE.values().forEach(free -> free.forEach(migrated -> migrated.schema.close()));
  }
}
