package dev.leasehold.benchmarks.throughput;

import dev.leasehold.benchmarks.rivals.Candidates;
import dev.leasehold.benchmarks.rivals.CuratorCandidates;
import dev.leasehold.benchmarks.throughput.LeaderProcess.Kind;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.store.jdbc.JdbcStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.curator.test.TestingServer;

/**
 * How soon another process leads, and its loop runs, when the leader's process is told to end or is
 * killed; compared with the rivals, with the same timeout after which a silent leader is replaced.
 */
final class LeaderCase {
  private static final int ENDS = 10;
  private static final int NAMES_OF_LEADER = 10;
  private static final Duration TTL = Duration.ofSeconds(2);
  private static final Duration SETTLING = Duration.ofMillis(1_500);
  private static final Duration SHORTEST_SETTLING = Duration.ofMillis(100);
  private static final int TIMEOUT_SECONDS = 60;
  private static final double MOST_AFTER_TERM_MILLIS = 100;
  private static final double MOST_AFTER_EXPIRY_MILLIS = 300;
  private static final double HALF = 0.5;
  private static final double TAIL = 0.99;

  private final Stage stage;
  private final Map<Kind, String> addresses = new LinkedHashMap<>();
  private int rounds;

  private LeaderCase(Stage stage) {
    this.stage = stage;
  }

  /** How a leader's process ends. */
  private enum End {
    TERM("SIGTERM"),
    KILL("kill -9");

    private final String text;

    End(String text) {
      this.text = text;
    }

    void bring(LeaderProcess leader) {
      switch (this) {
        case TERM -> leader.terminate();
        case KILL -> leader.kill();
      }
    }
  }

  /**
   * The result of one way to end.
   *
   * @param sinceEnd from the signal until the successor's loop ran
   * @param sinceExpiry the same from the end of the grant, where it is known
   */
  private record Takeover(Measured sinceEnd, Optional<Measured> sinceExpiry) {}

  static void run(Stage stage) throws Exception {
    LeaderCase one = new LeaderCase(stage);
    one.addresses.put(Kind.LEASEHOLD, stage.postgres().url());
    if (stage.settings().rivals()) {
      try (TestingServer zooKeeper = CuratorCandidates.server(TTL)) {
        one.addresses.put(Kind.CURATOR, zooKeeper.getConnectString());
        one.addresses.put(Kind.SPRING, stage.postgres().url());
        one.measure();
      }
    } else {
      one.measure();
    }
    IdleElections.run(stage);
  }

  private void measure() throws Exception {
    Report report = stage.report();
    report.title("From the leader's end to the successor's loop, two processes");
    report.header("whose elections", "end", "takeovers", "p50 ms", "p99 ms", "longest ms");
    List<Takeover> terminated = measure(End.TERM);
    List<Takeover> killed = measure(End.KILL);
    report.note(
        "A silent leader is replaced after %d ms (ttl, session timeout). Each process leads %d."
            .formatted(TTL.toMillis(), names()));
    double afterTerm = together(terminated).quantileMillis(TAIL);
    report.target(
        afterTerm < MOST_AFTER_TERM_MILLIS,
        "p99 below 100 ms after SIGTERM",
        Report.number(afterTerm) + " ms");
    double afterExpiry =
        Measured.together(killed.stream().flatMap(t -> t.sinceExpiry().stream()).toList(), 1)
            .quantileMillis(TAIL);
    report.target(
        afterExpiry < MOST_AFTER_EXPIRY_MILLIS,
        "p99 below the remaining ttl + 300 ms after kill -9",
        "the remaining ttl + " + Report.number(afterExpiry) + " ms");
  }

  /** All kinds take turns; returns the results of Leasehold. */
  private List<Takeover> measure(End end) throws Exception {
    Map<Kind, List<Takeover>> takeovers = new LinkedHashMap<>();
    for (int i = 0; i < stage.settings().share(ENDS, 1); i++) {
      for (Kind kind : addresses.keySet()) {
        takeovers.computeIfAbsent(kind, k -> new ArrayList<>()).add(takeOver(kind, end));
      }
    }
    takeovers.forEach((kind, all) -> row(kind, end, together(all)));
    return takeovers.getOrDefault(Kind.LEASEHOLD, List.of());
  }

  private static Measured together(List<Takeover> takeovers) {
    return Measured.together(takeovers.stream().map(Takeover::sinceEnd).toList(), 1);
  }

  private void row(Kind kind, End end, Measured measured) {
    stage
        .report()
        .row(
            kind.text(),
            end.text,
            measured.count(),
            measured.quantileMillis(HALF),
            measured.quantileMillis(TAIL),
            measured.quantileMillis(1));
  }

  private int names() {
    return stage.settings().share(NAMES_OF_LEADER, 2);
  }

  private Takeover takeOver(Kind kind, End end) throws Exception {
    int round = rounds++;
    List<String> names =
        IntStream.range(0, names()).mapToObj(i -> "taken-%d-%d".formatted(round, i)).toList();
    String address = addresses.getOrDefault(kind, "");
    try (Candidates waiting = kind.open(address, TTL);
        LeaderProcess leader = LeaderProcess.start(kind, address, TTL, names)) {
      List<CompletableFuture<Long>> led = new ArrayList<>();
      for (String name : names) {
        CompletableFuture<Long> first = new CompletableFuture<>();
        waiting.stand(name, () -> first.complete(Load.now()));
        led.add(first);
      }
      LockSupport.parkNanos(settling().toNanos());
      long ended = Load.now();
      end.bring(leader);
      Optional<long[]> expiries =
          kind == Kind.LEASEHOLD && end == End.KILL
              ? Optional.of(expiries(names))
              : Optional.empty();
      long[] at = new long[names.size()];
      for (int i = 0; i < at.length; i++) {
        at[i] = led.get(i).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      }
      return new Takeover(
          late(at, IntStream.range(0, at.length).mapToLong(i -> ended).toArray()),
          expiries.map(ends -> late(at, ends)));
    }
  }

  /** Time for the candidates to learn which process leads, and for the leader to begin its work. */
  private Duration settling() {
    return stage.settings().share() < 1 ? SHORTEST_SETTLING : SETTLING;
  }

  private static Measured late(long[] at, long[] since) {
    long[] late = new long[at.length];
    for (int i = 0; i < at.length; i++) {
      late[i] = Math.max(0, at[i] - since[i]);
    }
    return Measured.of(late, 1);
  }

  /** The earliest times at which the grants end, on this process's clock; answers take time. */
  private long[] expiries(List<String> names) {
    long[] ends = new long[names.size()];
    try (JdbcStore store = JdbcStore.at(stage.postgres().url()).open()) {
      for (int i = 0; i < ends.length; i++) {
        long asked = Load.now();
        LeaseKey key = LeaseKey.of("leader", names.get(i));
        LeaseReading reading = store.leases().read(key).toCompletableFuture().join().orElseThrow();
        long expires = reading.record().grant().orElseThrow().expiresAtMillis();
        ends[i] = asked + TimeUnit.MILLISECONDS.toNanos(expires - reading.atMillis());
      }
    }
    return ends;
  }
}
