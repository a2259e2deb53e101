package dev.leasehold.benchmarks.throughput;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Contestants that take turns, round by round, at the same task. */
final class Contest {
  private static final System.Logger LOG = System.getLogger(Contest.class.getName());

  private final Stage stage;
  private final Map<String, Round> contestants = new LinkedHashMap<>();
  private final Map<String, List<Measured>> results = new LinkedHashMap<>();
  private final Map<String, String> failures = new LinkedHashMap<>();
  private int uncounted = 1;

  Contest(Stage stage) {
    this.stage = stage;
  }

  /** One contestant's turn. */
  interface Round {
    Measured run() throws Exception;
  }

  Contest enter(String name, Round round) {
    contestants.put(name, round);
    return this;
  }

  /** Adds warm-up rounds, for code that takes longer than one round to be compiled. */
  Contest warmUp(int rounds) {
    uncounted = rounds;
    return this;
  }

  /**
   * Runs the warm-up rounds, which do not count, and then the rounds. A contestant that fails is
   * left out.
   */
  Contest run() {
    for (int i = 0; i < uncounted + stage.settings().rounds(); i++) {
      for (Map.Entry<String, Round> one : contestants.entrySet()) {
        if (!failures.containsKey(one.getKey())) {
          run(one.getKey(), one.getValue(), i >= uncounted);
        }
      }
    }
    return this;
  }

  private void run(String name, Round round, boolean counts) {
    try {
      Measured measured = round.run();
      if (counts) {
        results.computeIfAbsent(name, key -> new ArrayList<>()).add(measured);
      }
    } catch (Exception e) {
      LOG.log(Level.WARNING, name + " failed", e);
      failures.put(name, "failed: " + e.getMessage());
      stage.report().failure(name + " failed: " + e.getMessage());
    }
  }

  Optional<String> failureOf(String name) {
    return Optional.ofNullable(failures.get(name));
  }

  List<Measured> of(String name) {
    return results.getOrDefault(name, List.of(Measured.nothing()));
  }

  double perSecond(String name) {
    return Measured.median(of(name), Measured::perSecond);
  }

  double quantileMillis(String name, double part) {
    return Measured.median(of(name), one -> one.quantileMillis(part));
  }
}
