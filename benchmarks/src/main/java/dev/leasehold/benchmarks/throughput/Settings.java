package dev.leasehold.benchmarks.throughput;

import dev.leasehold.fence.IllFormedException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * How much to measure.
 *
 * @param round how long each contestant runs in each round
 * @param share of the full number of keys, holders and repetitions
 * @param drawing the charts to draw, and their file
 */
record Settings(
    Set<Case> cases,
    int rounds,
    Duration round,
    double share,
    boolean rivals,
    Path report,
    Drawing drawing) {
  /**
   * Where to draw the charts.
   *
   * @param recorded the report of an earlier run, which is drawn instead of a new measurement
   */
  record Drawing(Optional<Path> chart, Optional<Path> recorded) {
    Drawing into(String file) {
      return new Drawing(Optional.of(Path.of(file)), recorded);
    }

    Drawing from(String file) {
      return new Drawing(chart, Optional.of(Path.of(file)));
    }
  }

  private static final Duration FULL_ROUND = Duration.ofMillis(1_500);
  private static final Duration QUICK_ROUND = Duration.ofMillis(300);
  private static final int FULL_ROUNDS = 3;
  private static final double QUICK_SHARE = 0.1;

  static final String USAGE =
      "[--quick] [--rounds N] [--no-rivals] [--report FILE]"
          + " [--chart FILE.svg [--recorded REPORT]] [--cases "
          + String.join(",", Arrays.stream(Case.values()).map(Case::word).toList())
          + "]";

  static Settings full() {
    return new Settings(
        EnumSet.allOf(Case.class),
        FULL_ROUNDS,
        FULL_ROUND,
        1,
        true,
        Path.of("store-comparison.md"),
        new Drawing(Optional.empty(), Optional.empty()));
  }

  static Settings parse(String... arguments) {
    Settings settings = full();
    Deque<String> left = new ArrayDeque<>(List.of(arguments));
    while (!left.isEmpty()) {
      String option = left.pop();
      settings =
          switch (option) {
            case "--quick" -> settings.quick();
            case "--no-rivals" -> settings.withoutRivals();
            case "--cases" -> settings.only(cases(value(option, left)));
            case "--rounds" -> settings.withRounds(Integer.parseInt(value(option, left)));
            case "--report" -> settings.to(Path.of(value(option, left)));
            case "--chart" -> settings.drawing(settings.drawing.into(value(option, left)));
            case "--recorded" -> settings.drawing(settings.drawing.from(value(option, left)));
            default -> throw new IllFormedException(option + " is no option: " + USAGE);
          };
    }
    return settings;
  }

  private static String value(String option, Deque<String> left) {
    if (left.isEmpty()) {
      throw new IllFormedException(option + " needs a value: " + USAGE);
    }
    return left.pop();
  }

  private static Set<Case> cases(String words) {
    Set<Case> cases = EnumSet.noneOf(Case.class);
    for (String word : words.split(",", -1)) {
      cases.add(Case.valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_')));
    }
    return cases;
  }

  Settings quick() {
    return new Settings(cases, 1, QUICK_ROUND, QUICK_SHARE, rivals, report, drawing);
  }

  Settings withoutRivals() {
    return new Settings(cases, rounds, round, share, false, report, drawing);
  }

  Settings only(Set<Case> chosen) {
    return new Settings(chosen, rounds, round, share, rivals, report, drawing);
  }

  Settings withRounds(int number) {
    return new Settings(cases, number, round, share, rivals, report, drawing);
  }

  Settings lasting(Duration newRound, double newShare) {
    return new Settings(cases, rounds, newRound, newShare, rivals, report, drawing);
  }

  Settings to(Path file) {
    return new Settings(cases, rounds, round, share, rivals, file, drawing);
  }

  private Settings drawing(Drawing newDrawing) {
    return new Settings(cases, rounds, round, share, rivals, report, newDrawing);
  }

  Optional<Path> chart() {
    return drawing.chart();
  }

  Optional<Path> recorded() {
    return drawing.recorded();
  }

  int share(int full, int atLeast) {
    return Math.max(atLeast, (int) (full * share));
  }
}
