package dev.leasehold.benchmarks.throughput;

import dev.leasehold.blocks.objects.VersionedObjects;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.model.Payload;
import dev.leasehold.kernel.model.Version;
import dev.leasehold.store.jdbc.JdbcStore;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** 32 callers with their own versioned objects, compared with the bare statements. */
final class ObjectsCase implements AutoCloseable {
  private static final int CALLERS = 32;
  private static final int FEWEST_CALLERS = 4;
  private static final int PAYLOAD_BYTES = 500;
  private static final double LEAST = 0.5;
  private static final double HALF = 0.5;
  private static final double TAIL = 0.99;

  private final Stage stage;
  private final int callers;
  private final JdbcStore store;
  private final VersionedObjects objects;
  private final List<BareObjects> bare = new ArrayList<>();
  private final Payload payload;
  private final byte[] bytes;

  /** The latest versions that the callers know of their objects. */
  private final Version[] versions = new Version[CALLERS];

  private final long[] bareVersions = new long[CALLERS];

  /** The operation that the callers repeat. */
  private enum Verb {
    PUT("put"),
    GET("get"),
    REPLACE("compare and set");

    private final String text;

    Verb(String text) {
      this.text = text;
    }

    String ours() {
      return "Leasehold, " + text;
    }

    String bare() {
      return "bare, a connection for each caller: " + text;
    }
  }

  private ObjectsCase(Stage stage) throws SQLException {
    this.stage = stage;
    // Only a smoke run, which checks no targets, has fewer.
    this.callers = Math.min(CALLERS, stage.settings().share(10 * CALLERS, FEWEST_CALLERS));
    this.store = JdbcStore.at(stage.postgres().url()).migrate().open();
    this.objects = VersionedObjects.on(store.objects());
    this.bytes = new byte[PAYLOAD_BYTES];
    Arrays.fill(bytes, (byte) 'x');
    this.payload = Payload.of(bytes);
    BareObjects.create(stage.postgres());
    for (int caller = 0; caller < callers; caller++) {
      bare.add(new BareObjects(stage.postgres().connect()));
    }
  }

  static void run(Stage stage) throws Exception {
    try (ObjectsCase one = new ObjectsCase(stage)) {
      one.measure();
    }
  }

  private void measure() throws Exception {
    Contest contest = new Contest(stage);
    Map<Verb, Double> statements = new EnumMap<>(Verb.class);
    for (int caller = 0; caller < callers; caller++) {
      put(caller);
      bare.get(caller).put(id(caller), bytes);
    }
    for (Verb verb : Verb.values()) {
      statements.put(verb, statementsOf(verb));
      contest.enter(verb.ours(), () -> load(verb));
      contest.enter(verb.bare(), () -> loadBare(verb));
    }
    contest.run();
    report(contest, statements);
  }

  /** How many statements one operation takes when this many callers share batches. */
  private double statementsOf(Verb verb) throws Exception {
    long before = stage.postgres().statements();
    int count = load(verb).count();
    return (double) (stage.postgres().statements() - before) / Math.max(1, count);
  }

  /** A put creates a version that the caller learns only by the next read. */
  private Measured load(Verb verb) throws Exception {
    if (verb == Verb.REPLACE) {
      for (int caller = 0; caller < callers; caller++) {
        versions[caller] = objects.get(name(caller)).orElseThrow().version();
      }
    }
    return Load.run(callers, stage.settings().round(), caller -> step(verb, caller));
  }

  private void step(Verb verb, int caller) {
    switch (verb) {
      case PUT -> put(caller);
      case GET -> {
        if (objects.get(name(caller)).isEmpty()) {
          throw new IllegalStateException("there is no " + name(caller));
        }
      }
      case REPLACE ->
          versions[caller] = written(objects.replace(name(caller), versions[caller], payload));
    }
  }

  private void put(int caller) {
    Version unused = written(objects.put(name(caller), payload));
  }

  private static Version written(ObjectOutcome.OfPut outcome) {
    if (outcome instanceof ObjectOutcome.Written written) {
      return written.version();
    }
    throw new IllegalStateException("not written: " + outcome);
  }

  private Measured loadBare(Verb verb) throws Exception {
    if (verb == Verb.REPLACE) {
      for (int caller = 0; caller < callers; caller++) {
        bareVersions[caller] = bare.get(caller).get(id(caller));
      }
    }
    return Load.run(callers, stage.settings().round(), caller -> stepBare(verb, caller));
  }

  private void stepBare(Verb verb, int caller) throws SQLException {
    switch (verb) {
      case PUT -> bare.get(caller).put(id(caller), bytes);
      case GET -> {
        long unused = bare.get(caller).get(id(caller));
      }
      case REPLACE -> bare.get(caller).replace(id(caller), bareVersions[caller]++, bytes);
    }
  }

  private static ObjectName name(int caller) {
    return ObjectName.of("row", id(caller));
  }

  private static String id(int caller) {
    return "object-" + caller;
  }

  private void report(Contest contest, Map<Verb, Double> statements) {
    Report report = stage.report();
    report.title("Versioned objects of 500 bytes, %d callers, PostgreSQL".formatted(callers));
    report.header("what", "a second", "of the bare ones", "p50 ms", "p99 ms", "statements each");
    for (Verb verb : Verb.values()) {
      row(
          contest,
          verb.ours(),
          rate(contest, verb),
          Report.number(statements.getOrDefault(verb, 0.0)));
      row(contest, verb.bare(), 1, "1");
    }
    for (Verb verb : Verb.values()) {
      report.target(
          rate(contest, verb) >= LEAST,
          verb.text + ", at least 50 % of the bare statements",
          Report.percent(rate(contest, verb)));
    }
  }

  private static double rate(Contest contest, Verb verb) {
    return contest.perSecond(verb.ours()) / contest.perSecond(verb.bare());
  }

  private void row(Contest contest, String name, double rate, String statements) {
    stage
        .report()
        .row(
            name,
            contest.failureOf(name).orElse(Report.number(contest.perSecond(name))),
            Report.percent(rate),
            contest.quantileMillis(name, HALF),
            contest.quantileMillis(name, TAIL),
            statements);
  }

  @Override
  public void close() throws SQLException {
    for (BareObjects one : bare) {
      one.close();
    }
    store.close();
  }
}
