package dev.leasehold.benchmarks.throughput;

import dev.leasehold.benchmarks.rivals.Locks;
import dev.leasehold.benchmarks.rivals.Rival;
import dev.leasehold.benchmarks.rivals.Rivals;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.store.jdbc.JdbcStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Leases through a server in its own process, compared with the server's store. */
final class ServerCase {
  private static final int CONNECTIONS = 64;
  private static final double LEAST = 0.6;
  private static final int RENEWED = 1_000;
  private static final int PARKED = 5_000;
  private static final int FEWEST_PARKED = 20;
  private static final int HELD_KEYS = 100;
  private static final double MOST_MEBIBYTES = 400;
  private static final int WATCHED = 10_000;
  private static final int HALF_LOAD_ROUNDS = 3;

  /** A server runs for weeks, so its first 20 s of load do not count. */
  private static final int WARM_UP_ROUNDS = 14;

  private static final double NANOS_PER_SECOND = 1e9;
  private static final double HALF = 0.5;
  private static final double TAIL = 0.99;
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);
  private static final String ACQUIRING = "\",\"holder\":\"b\",\"ttlMs\":600000,\"instance\":\"";
  private static final Pattern TOKEN = Pattern.compile("\"token\":([0-9]+)");
  private static final String DIRECT = "straight to the store, 64 threads";
  private static final String SERVED = "through a server, 64 connections";

  private final Stage stage;
  private final ServedProcess server;
  private final String instance = Instance.random().secret();

  private ServerCase(Stage stage, ServedProcess server) {
    this.stage = stage;
    this.server = server;
  }

  static void run(Stage stage) throws Exception {
    String url = stage.postgres().url();
    JdbcStore.at(url).migrate().open().close();
    try (ServedProcess server = ServedProcess.start(url)) {
      ServerCase one = new ServerCase(stage, server);
      one.pairs();
      one.renewals();
      one.watched();
      one.parked();
    }
  }

  private String acquiring(String key, String more) {
    return "{\"key\":\"" + key + ACQUIRING + instance + "\"" + more + "}";
  }

  private static String token(String answer) {
    Matcher found = TOKEN.matcher(answer);
    if (!found.find()) {
      throw new IllegalStateException("no token in " + answer);
    }
    return found.group(1);
  }

  private void takeAndGiveBack(HttpConnection connection, String key) throws IOException {
    String token = token(connection.post("/v1/leases/acquire", acquiring(key, "")));
    connection.post(
        "/v1/leases/release",
        "{\"key\":\"" + key + "\",\"token\":" + token + ",\"instance\":\"" + instance + "\"}");
  }

  private void pairs() throws Exception {
    Settings settings = stage.settings();
    List<HttpConnection> connections = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      connections.add(new HttpConnection(server.address()));
    }
    List<Locks> rivals = new ArrayList<>();
    try (LeaseLocks direct =
        new LeaseLocks(JdbcStore.at(stage.postgres().url()).open().leases(), Duration.ZERO)) {
      Contest contest =
          new Contest(stage)
              .warmUp(settings.share(WARM_UP_ROUNDS, 1))
              .enter(
                  DIRECT,
                  () ->
                      Load.run(
                          CONNECTIONS,
                          settings.round(),
                          caller ->
                              direct.whileHeld(Keys.of("lock/direct", caller).text(), () -> {})))
              .enter(
                  SERVED,
                  () ->
                      Load.run(
                          CONNECTIONS,
                          settings.round(),
                          caller -> takeAndGiveBack(connections.get(caller), caller)));
      Map<String, String> durability = enterRivals(contest, rivals);
      contest.run();
      report(contest, durability);
      halfLoad(contest.perSecond(SERVED) / 2, connections);
    } finally {
      close(connections);
      rivals.forEach(Locks::close);
    }
  }

  private void takeAndGiveBack(HttpConnection connection, int caller) throws IOException {
    takeAndGiveBack(connection, Keys.of("lock/served", caller).text());
  }

  /** The durability of each rival, or why it is missing. */
  private Map<String, String> enterRivals(Contest contest, List<Locks> opened) throws Exception {
    Map<String, String> durability = new LinkedHashMap<>();
    durability.put(DIRECT, PostgresServer.DURABILITY);
    durability.put(SERVED, PostgresServer.DURABILITY);
    for (Rival rival : stage.settings().rivals() ? Rivals.besideAServer() : List.<Rival>of()) {
      durability.put(rival.name(), rival.missing().orElse(rival.durability()));
      if (rival.missing().isEmpty()) {
        Locks locks = rival.opening().open();
        opened.add(locks);
        contest.enter(
            rival.name(),
            () ->
                Load.run(
                    CONNECTIONS,
                    stage.settings().round(),
                    caller -> locks.whileHeld(Keys.of("lock/rival", caller).text(), () -> {})));
      }
    }
    return durability;
  }

  private void report(Contest contest, Map<String, String> durability) {
    Report report = stage.report();
    report.title("Acquire then release through a server, PostgreSQL");
    report.header("what", "a second", "p50 ms", "p99 ms", "durability");
    durability.forEach(
        (name, how) ->
            report.row(
                name,
                contest.perSecond(name),
                contest.quantileMillis(name, HALF),
                contest.quantileMillis(name, TAIL),
                how));
    double part = contest.perSecond(SERVED) / contest.perSecond(DIRECT);
    report.target(part >= LEAST, "60 % of the direct store's figure", Report.percent(part));
  }

  private void halfLoad(double pairsPerSecond, List<HttpConnection> connections) throws Exception {
    Duration between =
        Duration.ofNanos((long) (CONNECTIONS * NANOS_PER_SECOND / Math.max(1, pairsPerSecond)));
    Measured measured =
        Load.paced(
            CONNECTIONS,
            stage.settings().round().multipliedBy(HALF_LOAD_ROUNDS),
            between,
            caller -> takeAndGiveBack(connections.get(caller), caller));
    Report report = stage.report();
    report.title("Acquire then release through a server, at half of that load");
    report.header("a second", "p50 ms", "p99 ms", "longest ms");
    report.row(
        measured.perSecond(),
        measured.quantileMillis(HALF),
        measured.quantileMillis(TAIL),
        measured.quantileMillis(1));
  }

  /** Leases held through the server, and watched by as many streams as there are connections. */
  private void watched() throws Exception {
    int leases = stage.settings().share(WATCHED, RENEWED / 10);
    double before = server.residentMebibytes();
    List<HttpConnection> streams = new ArrayList<>();
    try (HttpConnection connection = new HttpConnection(server.address())) {
      for (int i = 0; i < CONNECTIONS; i++) {
        streams.add(new HttpConnection(server.address()));
        streams.getLast().send("GET", "/v1/leases/watch?prefix=watched/", "");
      }
      for (int done = 0; done < leases; done += RENEWED) {
        List<String> commands = new ArrayList<>();
        for (int i = done; i < Math.min(leases, done + RENEWED); i++) {
          String acquire = acquiring(Keys.of("watched/many", i).text(), "");
          commands.add("{\"verb\":\"acquire\"," + acquire.substring(1));
        }
        connection.post(
            "/v1/leases/batch", "{\"commands\":[%s]}".formatted(String.join(",", commands)));
      }
      Report report = stage.report();
      report.title("%,d leases held through a server and watched".formatted(leases));
      report.header("streams", "resident before, MiB", "with them, MiB");
      report.row(CONNECTIONS, before, server.residentMebibytes());
    } finally {
      close(streams);
    }
  }

  private void renewals() throws Exception {
    try (HttpConnection connection = new HttpConnection(server.address())) {
      List<String> renewals = new ArrayList<>();
      for (int i = 0; i < RENEWED; i++) {
        String key = Keys.of("shard/served", i).text();
        String token = token(connection.post("/v1/leases/acquire", acquiring(key, "")));
        renewals.add("{\"key\":\"%s\",\"token\":%s}".formatted(key, token));
      }
      String body =
          "{\"instance\":\"%s\",\"leases\":[%s]}".formatted(instance, String.join(",", renewals));
      Measured measured =
          Load.repeat(stage.settings().round(), () -> connection.post("/v1/leases/renew", body));
      Report report = stage.report();
      report.title("1,000 renewals in one call to a server");
      report.header("calls a second", "leases a second", "p50 ms", "p99 ms", "body");
      report.row(
          measured.perSecond(),
          measured.perSecond() * RENEWED,
          measured.quantileMillis(HALF),
          measured.quantileMillis(TAIL),
          body.length() + " bytes");
    }
  }

  private void parked() throws Exception {
    int each = stage.settings().share(PARKED, FEWEST_PARKED) / 2;
    double before = server.residentMebibytes();
    List<HttpConnection> connections = new ArrayList<>();
    try (HttpConnection other = new HttpConnection(server.address())) {
      for (int i = 0; i < HELD_KEYS; i++) {
        other.post("/v1/leases/acquire", acquiring("held/" + i, ""));
      }
      for (int i = 0; i < each; i++) {
        connections.add(new HttpConnection(server.address()));
        connections.getLast().send("GET", "/v1/leases/watch?prefix=lock/", "");
        connections.add(new HttpConnection(server.address()));
        String poll = acquiring("held/" + i % HELD_KEYS, ",\"waitMs\":60000");
        connections.getLast().send("POST", "/v1/leases/acquire", poll);
      }
      while (!(counted(other, "waiting") && counted(other, "streaming"))) {
        LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
      }
      Measured meanwhile =
          Load.repeat(stage.settings().round(), () -> takeAndGiveBack(other, "lock/meanwhile"));
      double after = server.residentMebibytes();
      Report report = stage.report();
      report.title("%,d parked requests: half wait for a lease, half watch".formatted(2 * each));
      report.header("resident before, MiB", "with them, MiB", "another's acquire, release p50 ms");
      report.row(before, after, meanwhile.quantileMillis(HALF));
      report.target(
          after < MOST_MEBIBYTES, "under 400 MiB", Report.number(after) + " MiB, heap of 256");
    } finally {
      close(connections);
    }
  }

  /** Whether the server has as many leases as were sent. */
  private boolean counted(HttpConnection connection, String state) throws IOException {
    int each = stage.settings().share(PARKED, FEWEST_PARKED) / 2;
    connection.send("GET", "/metrics", "");
    String line = "leasehold_requests{state=\"%s\"} %d.0".formatted(state, each);
    return connection.answer().contains(line);
  }

  private static void close(List<HttpConnection> connections) throws IOException {
    for (HttpConnection connection : connections) {
      connection.close();
    }
  }
}
