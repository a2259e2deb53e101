package dev.leasehold.store.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.store.jdbc.batches.Backoff;
import dev.leasehold.store.jdbc.batches.Engine;
import dev.leasehold.store.jdbc.changes.Hints;
import dev.leasehold.store.jdbc.connections.Connector;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.SearchPath;
import dev.leasehold.store.jdbc.connections.ServerPool;
import dev.leasehold.store.jdbc.connections.Session;
import dev.leasehold.store.jdbc.connections.Sessions;
import dev.leasehold.store.jdbc.health.Address;
import dev.leasehold.store.jdbc.health.AddressFile;
import dev.leasehold.store.jdbc.health.Caretaker;
import dev.leasehold.store.jdbc.health.Facts;
import dev.leasehold.store.jdbc.health.Position;
import dev.leasehold.store.jdbc.health.Sentry;
import dev.leasehold.store.jdbc.health.WitnessFile;
import dev.leasehold.store.jdbc.housekeeping.Chore;
import dev.leasehold.store.jdbc.housekeeping.Housekeeping;
import dev.leasehold.store.jdbc.leases.LeaseEngine;
import dev.leasehold.store.jdbc.leases.LeasePurge;
import dev.leasehold.store.jdbc.leases.PastGrantChore;
import dev.leasehold.store.jdbc.leases.RequestChore;
import dev.leasehold.store.jdbc.leases.ServerEngine;
import dev.leasehold.store.jdbc.leases.SqliteEngine;
import dev.leasehold.store.jdbc.objects.ObjectPurge;
import dev.leasehold.store.jdbc.opening.Examiner;
import dev.leasehold.store.jdbc.opening.Migrations;
import dev.leasehold.store.jdbc.opening.Opening;
import dev.leasehold.store.jdbc.opening.PoolTrial;
import dev.leasehold.store.jdbc.status.DatabaseFacts;
import dev.leasehold.store.jdbc.status.SchemaState;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import javax.sql.DataSource;

/** Settings of a {@link JdbcLeaseStore}. Nothing needs to be set. */
public final class JdbcStoreBuilder {
  private static final int POOL_SIZE = 8;

  /** One listens, one sends, and one is for trying out whether that works. */
  private static final int HINT_POOL_SIZE = 3;

  /** For changes that are made through the store; they must not keep its commands waiting. */
  private static final int EFFECT_POOL_SIZE = 10;

  /** For marks that servers keep; whoever waits there for another's change keeps nobody waiting. */
  private static final int MARK_POOL_SIZE = 8;

  /** How long the record of a dead key is kept, unless the store was opened with another time. */
  static final Duration DEAD_RECORDS_KEPT = Duration.ofDays(30);

  private static final Duration LONGEST_KEPT = Duration.ofDays(36_500);

  private static final Duration CONNECTION_PATIENCE = Duration.ofSeconds(3);

  private final Optional<String> url;
  private final Optional<DataSource> given;
  private Optional<Dialect> dialect = Optional.empty();
  private Optional<Limits> limits = Optional.empty();
  private Optional<Path> dataFolder = Optional.empty();
  private Duration deadRecordsKept = DEAD_RECORDS_KEPT;
  private boolean tidying = true;
  private boolean migrating;
  private boolean openAnyway;

  private JdbcStoreBuilder(Optional<String> url, Optional<DataSource> given) {
    this.url = url;
    this.given = given;
  }

  static JdbcStoreBuilder at(String url) {
    JdbcStoreBuilder builder = new JdbcStoreBuilder(Optional.of(url), Optional.empty());
    builder.dialect = Optional.of(Dialect.ofUrl(url));
    return builder;
  }

  static JdbcStoreBuilder on(DataSource source) {
    return new JdbcStoreBuilder(Optional.empty(), Optional.of(source));
  }

  /** Creates or upgrades the schema first. Processes that start together do it once. */
  public JdbcStoreBuilder migrate() {
    migrating = true;
    return this;
  }

  /** Other bounds than the dialect's own. */
  public JdbcStoreBuilder limits(Limits newLimits) {
    limits = Optional.of(newLimits);
    return this;
  }

  /**
   * How long the record of a key is kept when nothing can depend on it any more, 30 days if this is
   * not set; then one of the processes that have the store open purges it. All of them should say
   * the same.
   */
  public JdbcStoreBuilder deadRecordsKept(Duration time) {
    if (time.compareTo(LONGEST_KEPT) > 0 || time.isNegative()) {
      throw new IllFormedException(
          "dead records are kept for 0 s to " + LONGEST_KEPT.toDays() + " days, not " + time);
    }
    deadRecordsKept = time;
    return this;
  }

  /**
   * Never tidies the store in the background: some other process that has it open must, or an
   * operator by hand.
   */
  public JdbcStoreBuilder leaveHousekeepingToOthers() {
    tidying = false;
    return this;
  }

  /**
   * Keeps witness files in this folder, outside the database: they tell a store that was restored
   * from a backup, or emptied or replaced at its address, and how high its incarnation had come.
   */
  public JdbcStoreBuilder witness(Path newDataFolder) {
    dataFolder = Optional.of(newDataFolder);
    return this;
  }

  /**
   * Opens a store that has gone back to an earlier state, too: to look at it and to advance its
   * incarnation. It refuses every other command until then.
   */
  public JdbcStoreBuilder evenIfRolledBack() {
    openAnyway = true;
    return this;
  }

  /** For the tests of a dialect on another's server. */
  JdbcStoreBuilder dialect(Dialect newDialect) {
    dialect = Optional.of(newDialect);
    return this;
  }

  /**
   * Opens the store.
   *
   * @throws StoreUnusableException with the sentence that says what to do
   */
  public JdbcLeaseStore open() {
    Pools pools = new Pools();
    boolean opened = false;
    try {
      JdbcLeaseStore store = open(pools);
      opened = true;
      return store;
    } finally {
      if (!opened) {
        pools.close();
      }
    }
  }

  private JdbcLeaseStore open(Pools pools) {
    DataSource pool = ownSource(pools, "leasehold", poolSize());
    Dialect chosen = chosen(pool);
    Connector connector = connector(pool, chosen);
    if (given.isPresent()) {
      new PoolTrial(connector, chosen).run();
    }
    Sentry sentry = prepare(connector, chosen);
    boolean ownConnections = given.isEmpty() && chosen != Dialect.SQLITE;
    Connector renewals = ownConnections ? connector.direct(url.orElseThrow()) : connector;
    Connector ofHints =
        ownConnections
            ? connector.from(ownSource(pools, "leasehold-hints", HINT_POOL_SIZE))
            : connector;
    Limits bounds = limits.orElse(chosen.limits());
    Hints hints = new Hints(chosen, ofHints);
    LeaseEngine engine =
        chosen == Dialect.SQLITE
            ? new SqliteEngine(connector, bounds, hints.lines(), sentry)
            : new ServerEngine(connector, renewals, bounds, sentry);
    Sessions background =
        chosen == Dialect.SQLITE ? new Sessions.Kept(connector) : new Sessions.Pooled(ofHints);
    Caretaker caretaker = new Caretaker(background, sentry);
    caretaker.start();
    Housekeeping housekeeping =
        new Housekeeping(
            chosen,
            housekeepingIn(engine, sentry.guard(background)),
            chores(bounds, deadRecordsKept));
    Sessions effects = sentry.guard(effects(pools, chosen, connector));
    JdbcLeaseStore store =
        new JdbcLeaseStore(
            new JdbcLeaseStore.Parts(
                chosen,
                engine,
                bounds,
                hints,
                sentry,
                caretaker,
                housekeeping,
                effects,
                connector.namespace(),
                () -> marks(pools, new MarkConnections.Place(sentry, connector.namespace())),
                pools));
    if (tidying) {
      store.tidyInBackground();
    }
    return store;
  }

  /** What housekeeping removes, table by table. */
  static List<Chore> chores(Limits limits, Duration deadRecordsKept) {
    return List.of(
        new PastGrantChore(limits),
        new LeasePurge(limits, deadRecordsKept.toMillis()),
        new RequestChore(limits),
        new ObjectPurge(limits, 0));
  }

  /** In the line of the one thread that writes to a file; on a server, beside the commands. */
  private static Housekeeping.Transacting housekeepingIn(Engine engine, Sessions background) {
    if (engine instanceof SqliteEngine) {
      return new Housekeeping.InLine(engine);
    }
    return new Housekeeping.Beside(background, new Backoff());
  }

  /** A pool of their own, too. On SQLite one at a time can write, so others wait in its line. */
  private DataSource marks(Pools pools, MarkConnections.Place place) {
    boolean onFile = place.namespace().dialect() == Dialect.SQLITE;
    return new MarkConnections(
        source(pools, "leasehold-marks", onFile ? 1 : MARK_POOL_SIZE),
        place,
        given.isEmpty() && !onFile);
  }

  /** What a pool of the application's has to give on SQLite, one of our own must give too. */
  private int poolSize() {
    boolean onFile = url.isPresent() && Dialect.ofUrl(url.get()) == Dialect.SQLITE;
    return onFile ? PoolTrial.LEAST_ON_SQLITE : POOL_SIZE;
  }

  /** A pool of their own, which is not there before the first change. */
  private Sessions effects(Pools pools, Dialect chosen, Connector connector) {
    if (chosen == Dialect.SQLITE) {
      return new Sessions.Kept(connector);
    }
    if (given.isPresent()) {
      return new Sessions.Pooled(connector);
    }
    return new Sessions.Pooled(
        connector.lazilyFrom(() -> source(pools, "leasehold-effects", EFFECT_POOL_SIZE)));
  }

  /** The SQL of the whole schema, for people who apply it themselves; nothing is connected to. */
  public String schemaSql() {
    return new Migrations(dialect.isPresent() ? dialect.get() : chosen(given.orElseThrow())).text();
  }

  /** Looks at the schema, or changes it, without opening the store. */
  public <T> T schema(Function<StoreSchema, T> use) {
    try (Pools pools = new Pools()) {
      DataSource pool = ownSource(pools, "leasehold-schema", 1);
      Dialect chosen = chosen(pool);
      return use.apply(new StoreSchema(chosen, connector(pool, chosen), dataFolder));
    }
  }

  private Connector connector(DataSource pool, Dialect chosen) {
    return given.isPresent() ? new Connector(pool, chosen) : Connector.own(pool, chosen);
  }

  /**
   * Asks the database what it is like, whether or not a store could be opened there. It changes
   * nothing, and makes no file.
   */
  public DatabaseFacts examine(InstantSource wallClock) {
    url.ifPresent(JdbcStoreBuilder::requireFile);
    try (Pools pools = new Pools()) {
      DataSource pool = ownSource(pools, "leasehold-examination", 1);
      Dialect chosen = chosen(pool);
      return Opening.within(
          () -> {
            try (Session session = asItIs(pool, chosen)) {
              session.autoCommit(true);
              return new Examiner(wallClock).examine(session).unopened();
            }
          });
    }
  }

  /** A connector would change the file's journal. */
  private Session asItIs(DataSource pool, Dialect chosen) throws SQLException {
    return chosen == Dialect.SQLITE
        ? Session.onFile(pool.getConnection())
        : connector(pool, chosen).connect();
  }

  private static void requireFile(String url) {
    if (Dialect.ofUrl(url) == Dialect.SQLITE) {
      String name = Dialect.SQLITE.jdbcUrl(url).substring("jdbc:sqlite:".length());
      Path file = Path.of(name.split("[?]", 2)[0]);
      if (!Files.exists(file)) {
        throw StoreUnusableException.unreachable(
            "there is no file "
                + file
                + ": name the right one, or restore it; whoever opens it to change something, as"
                + " leasehold serve does, makes a new and empty one",
            new NoSuchFileException(file.toString()));
      }
    }
  }

  /** Uses the database itself, for what lives there without a store, as the marks of targets do. */
  public <T> T database(Function<DataSource, T> use) {
    try (Pools pools = new Pools()) {
      return use.apply(source(pools, "leasehold-database", 1));
    }
  }

  /** For our own statements alone: pinned, if we open its connections ourselves. */
  private DataSource ownSource(Pools pools, String name, int size) {
    SearchPath path = dialect.map(known -> SearchPath.of(known, true)).orElse(SearchPath.AS_IT_IS);
    return source(pools, new PoolPlan(name, size, path));
  }

  /** For others' statements, too. */
  private DataSource source(Pools pools, String name, int size) {
    return source(pools, new PoolPlan(name, size, SearchPath.AS_IT_IS));
  }

  private DataSource source(Pools pools, PoolPlan plan) {
    return given.orElseGet(() -> pools.open(url.orElseThrow(), plan));
  }

  /** A pool of our own, and the path of its connections. */
  private record PoolPlan(String name, int size, SearchPath path) {}

  private Dialect chosen(DataSource pool) {
    return dialect.orElseGet(() -> Opening.within(() -> dialectOf(pool)));
  }

  /** The pools that we have made ourselves. */
  private static final class Pools implements AutoCloseable {
    private final List<HikariDataSource> pools = new ArrayList<>();

    private boolean closed;

    /** One of each name. */
    synchronized DataSource open(String url, PoolPlan plan) {
      if (closed) {
        throw new IllegalStateException("the store is closed");
      }
      Optional<HikariDataSource> known =
          pools.stream().filter(pool -> pool.getPoolName().equals(plan.name())).findFirst();
      return known.isPresent() ? known.get() : make(url, plan);
    }

    private DataSource make(String url, PoolPlan plan) {
      Dialect dialect = Dialect.ofUrl(url);
      Opening.requireDriver(dialect.jdbcUrl(url), dialect.driverArtifact());
      HikariConfig config = new HikariConfig();
      config.setPoolName(plan.name());
      config.setMaximumPoolSize(plan.size());
      config.setMinimumIdle(1);
      config.setConnectionTimeout(CONNECTION_PATIENCE.toMillis());
      config.setInitializationFailTimeout(-1);
      HikariDataSource source =
          dialect == Dialect.SQLITE
              ? ofFile(config, dialect.jdbcUrl(url))
              : ServerPool.open(config, dialect.jdbcUrl(url), plan.path());
      pools.add(source);
      return source;
    }

    private static HikariDataSource ofFile(HikariConfig config, String jdbcUrl) {
      boolean unused = Opening.within(() -> Opening.requireFile(jdbcUrl));
      config.setJdbcUrl(jdbcUrl);
      // The driver would ask for the last row's id after each insert.
      config.addDataSourceProperty("jdbc.get_generated_keys", "false");
      return new HikariDataSource(config);
    }

    @Override
    public synchronized void close() {
      closed = true;
      pools.forEach(HikariDataSource::close);
    }
  }

  private static Dialect dialectOf(DataSource source) throws SQLException {
    try (Connection connection = source.getConnection()) {
      return Dialect.of(connection);
    }
  }

  private Sentry prepare(Connector connector, Dialect chosen) {
    StoreSchema schema = new StoreSchema(chosen, connector, dataFolder);
    SchemaState state =
        Opening.within(
            () -> {
              try (Session session = connector.connect()) {
                Opening.requireDurable(session, chosen);
              }
              return schema.stateNow();
            });
    if (migrating && !(state instanceof SchemaState.Current)) {
      List<String> unused = schema.apply();
    }
    return Opening.within(() -> watched(connector, chosen, schema));
  }

  private Sentry watched(Connector connector, Dialect chosen, StoreSchema schema)
      throws SQLException {
    Opening.requireSchema(schema.stateNow());
    try (Session session = connector.connect()) {
      session.autoCommit(true);
      String storeId = Facts.read(session, Position.NOTHING).storeId();
      Sentry sentry = new Sentry(chosen, storeId, places(session, storeId));
      sentry.readFile();
      sentry.checkAll(session);
      if (sentry.refusal().isPresent()) {
        sentry.writeFile();
        if (!openAnyway) {
          throw new StoreUnusableException(sentry.refusal().get());
        }
      }
      sentry.open();
      if (!openAnyway) {
        // Before anything is granted: what the address serves must be known if nothing is left.
        sentry.keep();
        sentry.writeFile();
      }
      return sentry;
    }
  }

  private Optional<Sentry.Places> places(Session session, String storeId) throws SQLException {
    if (dataFolder.isEmpty()) {
      return Optional.empty();
    }
    Path folder = dataFolder.get();
    boolean together =
        session.dialect() == Dialect.SQLITE
            && Address.file(session.connection()).startsWith(Address.real(folder));
    return Optional.of(
        new Sentry.Places(
            new WitnessFile(folder, storeId),
            new AddressFile(folder, Address.of(session)),
            together));
  }
}
