package dev.leasehold.cli;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Rows. On a terminal they stand in columns under a heading; anywhere else each is a line whose
 * cells are parted by tabs, for programs that cut.
 */
final class Table {
  private static final String BOLD = "\033[1m";
  private static final String PLAIN = "\033[0m";

  private final Surroundings surroundings;
  private final String columns;

  /** Begins to print it. */
  Table(Surroundings surroundings, String columns, List<String> heading) {
    this.surroundings = surroundings;
    this.columns = columns;
    if (surroundings.isOnTerminal()) {
      String line = columns.formatted(heading.toArray());
      surroundings.out().println(surroundings.hasColours() ? BOLD + line + PLAIN : line);
    }
  }

  void add(Object... cells) {
    String line =
        surroundings.isOnTerminal()
            ? columns.formatted(cells).stripTrailing()
            : Arrays.stream(cells).map(String::valueOf).collect(Collectors.joining("\t"));
    surroundings.out().println(line);
  }
}
