package dev.leasehold.store.jdbc;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.store.jdbc.batches.Backoff;
import dev.leasehold.store.jdbc.batches.Engine;
import dev.leasehold.store.jdbc.batches.ServerEngine;
import dev.leasehold.store.jdbc.batches.SqliteEngine;
import dev.leasehold.store.jdbc.changes.Hints;
import dev.leasehold.store.jdbc.connections.ConnectionSource;
import dev.leasehold.store.jdbc.connections.Connector;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.SearchPath;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.health.HealthLoop;
import dev.leasehold.store.jdbc.health.RollbackDetector;
import dev.leasehold.store.jdbc.housekeeping.Chore;
import dev.leasehold.store.jdbc.housekeeping.Housekeeping;
import dev.leasehold.store.jdbc.housekeeping.Paging;
import dev.leasehold.store.jdbc.housekeeping.Trimming;
import dev.leasehold.store.jdbc.leases.LeasePurge;
import dev.leasehold.store.jdbc.leases.PastGrantChore;
import dev.leasehold.store.jdbc.objects.ObjectPurge;
import dev.leasehold.store.jdbc.opening.Examiner;
import dev.leasehold.store.jdbc.opening.Migrations;
import dev.leasehold.store.jdbc.opening.Opening;
import dev.leasehold.store.jdbc.opening.PoolTrial;
import dev.leasehold.store.jdbc.status.DatabaseFacts;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import javax.sql.DataSource;

/** Settings of a {@link JdbcStore}. All are optional. */
public final class JdbcStoreBuilder {
  private static final int POOL_SIZE = 8;

  /** One connection listens, one sends, and one tests whether notifications arrive. */
  private static final int HINT_POOL_SIZE = 3;

  /** For changes made through the store; they must not delay its commands. */
  private static final int EFFECT_POOL_SIZE = 10;

  /** For marks that servers keep: a change that waits there for another delays no command. */
  private static final int MARK_POOL_SIZE = 8;

  /** How long the record of a dead key is kept, unless the builder sets another time. */
  static final Duration DEAD_RECORDS_KEPT = Duration.ofDays(30);

  private static final Duration LONGEST_KEPT = Duration.ofDays(36_500);

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

  /** Creates or upgrades the schema first. When processes start together, one of them does it. */
  public JdbcStoreBuilder migrate() {
    migrating = true;
    return this;
  }

  /** Replaces the dialect's own bounds. */
  public JdbcStoreBuilder limits(Limits newLimits) {
    limits = Optional.of(newLimits);
    return this;
  }

  /**
   * How long the record of a key is kept once nothing can depend on it any more; default: 30 days.
   * Then one of the processes that have the store open purges it. All of them should set the same
   * time.
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
   * Keeps this process from removing old rows in the background. Another process that has the store
   * open must do it, or an operator by hand.
   */
  public JdbcStoreBuilder leaveHousekeepingToOthers() {
    tidying = false;
    return this;
  }

  /**
   * Keeps witness files in this folder, outside the database. They reveal that the store was
   * restored from a backup, emptied or replaced, and which incarnation it had reached.
   */
  public JdbcStoreBuilder witness(Path newDataFolder) {
    dataFolder = Optional.of(newDataFolder);
    return this;
  }

  /**
   * Also opens a store that has gone back to an earlier state, to examine it and to advance its
   * incarnation. Until then it refuses every other command.
   */
  public JdbcStoreBuilder evenIfRolledBack() {
    openAnyway = true;
    return this;
  }

  /** For tests that run one dialect on another's server. */
  JdbcStoreBuilder dialect(Dialect newDialect) {
    dialect = Optional.of(newDialect);
    return this;
  }

  /**
   * Opens the store.
   *
   * @throws StoreUnusableException whose message says what to do
   */
  public JdbcStore open() {
    OwnPools pools = new OwnPools();
    boolean opened = false;
    try {
      JdbcStore store = open(pools);
      opened = true;
      return store;
    } finally {
      if (!opened) {
        pools.close();
      }
    }
  }

  private JdbcStore open(OwnPools pools) {
    DataSource pool = ownSource(pools, "leasehold", poolSize());
    Dialect chosen = chosen(pool);
    Connector connector = connector(pool, chosen);
    if (given.isPresent()) {
      new PoolTrial(connector, chosen).run();
    }
    RollbackDetector detector =
        new Preparation(connector, chosen, new Preparation.How(migrating, openAnyway, dataFolder))
            .run();
    boolean ownConnections = given.isEmpty() && !chosen.isFile();
    Connector renewals = ownConnections ? connector.direct(url.orElseThrow()) : connector;
    Connector ofHints =
        ownConnections
            ? connector.from(ownSource(pools, "leasehold-hints", HINT_POOL_SIZE))
            : connector;
    Limits bounds = limits.orElse(chosen.limits());
    Hints hints = new Hints(chosen, ofHints);
    Engine engine =
        chosen.hasOneWriter()
            ? new SqliteEngine(connector, detector::guard)
            : new ServerEngine(connector, renewals, detector::guard);
    ConnectionSource background =
        chosen.hasOneWriter()
            ? new ConnectionSource.Kept(connector)
            : new ConnectionSource.Pooled(ofHints);
    HealthLoop healthLoop = new HealthLoop(background, detector);
    healthLoop.start();
    Housekeeping housekeeping =
        new Housekeeping(
            chosen,
            housekeepingIn(chosen, engine, detector.guard(background)),
            chores(bounds, deadRecordsKept));
    ConnectionSource effects = detector.guard(effects(pools, chosen, connector));
    JdbcStore store =
        new JdbcStore(
            new JdbcStore.Parts(
                chosen,
                engine,
                bounds,
                hints,
                detector,
                healthLoop,
                housekeeping,
                effects,
                connector.namespace(),
                () ->
                    marks(pools, new MarkConnections.StoreContext(detector, connector.namespace())),
                pools));
    if (tidying) {
      store.tidyInBackground();
    }
    return store;
  }

  private static final Paging REQUESTS =
      new Paging("request-page", place -> List.of(place.bucket(), place.name(), place.request()));

  /** What housekeeping removes, table by table. */
  static List<Chore> chores(Limits limits, Duration deadRecordsKept) {
    return List.of(
        new PastGrantChore(limits),
        LeasePurge.after(deadRecordsKept.toMillis(), limits),
        new Trimming("requests", REQUESTS, "trim-requests", limits.memoryMillis()),
        ObjectPurge.after(0, limits));
  }

  /** On SQLite in the queue of the only writing thread; on a server, beside the commands. */
  private static Housekeeping.Transacting housekeepingIn(
      Dialect dialect, Engine engine, ConnectionSource background) {
    return dialect.hasOneWriter()
        ? new Housekeeping.OnWriteQueue(engine)
        : new Housekeeping.OnOwnConnections(background, new Backoff());
  }

  /** Also a pool of its own. With one writer at a time, the others wait in its queue. */
  private DataSource marks(OwnPools pools, MarkConnections.StoreContext store) {
    boolean inLine = store.namespace().dialect().hasOneWriter();
    return new MarkConnections(
        source(pools, "leasehold-marks", inLine ? 1 : MARK_POOL_SIZE),
        store,
        given.isEmpty() && !inLine);
  }

  /** Our own pool must offer one writer as many connections as an application's pool must. */
  private int poolSize() {
    boolean inLine = dialect.filter(Dialect::hasOneWriter).isPresent();
    return inLine ? PoolTrial.LEAST_WITH_ONE_WRITER : POOL_SIZE;
  }

  /** A pool of its own, created for the first change. */
  private ConnectionSource effects(OwnPools pools, Dialect chosen, Connector connector) {
    if (chosen.hasOneWriter()) {
      return new ConnectionSource.Kept(connector);
    }
    if (given.isPresent()) {
      return new ConnectionSource.Pooled(connector);
    }
    return new ConnectionSource.Pooled(
        connector.lazilyFrom(() -> source(pools, "leasehold-effects", EFFECT_POOL_SIZE)));
  }

  /** The SQL of the whole schema, for operators who apply it themselves. It opens no connection. */
  public String schemaSql() {
    return new Migrations(dialect.isPresent() ? dialect.get() : chosen(given.orElseThrow())).text();
  }

  /** Inspects or changes the schema without opening the store. */
  public <T> T schema(Function<StoreSchema, T> use) {
    try (OwnPools pools = new OwnPools()) {
      DataSource pool = ownSource(pools, "leasehold-schema", 1);
      Dialect chosen = chosen(pool);
      return use.apply(new StoreSchema(chosen, connector(pool, chosen), dataFolder));
    }
  }

  private Connector connector(DataSource pool, Dialect chosen) {
    return given.isPresent() ? new Connector(pool, chosen) : Connector.own(pool, chosen);
  }

  /**
   * Asks the database for its facts, even if no store could be opened there. It changes nothing,
   * and creates no file.
   */
  public DatabaseFacts examine(InstantSource wallClock) {
    url.ifPresent(JdbcStoreBuilder::requireFile);
    try (OwnPools pools = new OwnPools()) {
      DataSource pool = ownSource(pools, "leasehold-examination", 1);
      Dialect chosen = chosen(pool);
      return Opening.within(
          () -> {
            try (StoreConnection connection = asItIs(pool, chosen)) {
              connection.autoCommit(true);
              return new Examiner(wallClock).examine(connection).unopened();
            }
          });
    }
  }

  /** Not through a connector, which would change the file's journal. */
  private StoreConnection asItIs(DataSource pool, Dialect chosen) throws SQLException {
    return chosen.isFile()
        ? StoreConnection.onFile(pool.getConnection(), chosen)
        : connector(pool, chosen).connect();
  }

  private static void requireFile(String url) {
    Optional<Path> file = Dialect.ofUrl(url).file(url);
    if (file.isPresent() && !Files.exists(file.get())) {
      throw StoreUnusableException.unreachable(
          "there is no file "
              + file.get()
              + ": name the right one, or restore it; a command that opens it for changes, such"
              + " as leasehold serve, creates a new and empty one",
          new NoSuchFileException(file.get().toString()));
    }
  }

  /** Uses the database itself, for data that needs no store, such as the marks of targets. */
  public <T> T database(Function<DataSource, T> use) {
    try (OwnPools pools = new OwnPools()) {
      return use.apply(source(pools, "leasehold-database", 1));
    }
  }

  /** For the store's own statements alone: pinned, if the store opens its connections itself. */
  private DataSource ownSource(OwnPools pools, String name, int size) {
    SearchPath path = dialect.map(known -> SearchPath.of(known, true)).orElse(SearchPath.AS_IT_IS);
    return source(pools, new OwnPools.Plan(name, size, path));
  }

  /** Also for users' statements. */
  private DataSource source(OwnPools pools, String name, int size) {
    return source(pools, new OwnPools.Plan(name, size, SearchPath.AS_IT_IS));
  }

  private DataSource source(OwnPools pools, OwnPools.Plan plan) {
    return given.orElseGet(() -> pools.open(url.orElseThrow(), plan));
  }

  private Dialect chosen(DataSource pool) {
    return dialect.orElseGet(() -> Opening.within(() -> dialectOf(pool)));
  }

  private static Dialect dialectOf(DataSource source) throws SQLException {
    try (Connection connection = source.getConnection()) {
      return Dialect.of(connection);
    }
  }
}
