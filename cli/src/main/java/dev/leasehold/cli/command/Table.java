package dev.leasehold.cli.command;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Rows of cells. On a terminal they are printed as columns under a heading; elsewhere each row is a
 * line with tabs between its cells, for programs such as cut.
 */
public final class Table {
  private static final String BOLD = "\033[1m";
  private static final String PLAIN = "\033[0m";

  private final Surroundings surroundings;
  private final String columns;

  /** Starts a table. */
  public Table(Surroundings surroundings, String columns, List<String> heading) {
    this.surroundings = surroundings;
    this.columns = columns;
    if (surroundings.isOnTerminal()) {
      String line = columns.formatted(heading.toArray());
      surroundings.out().println(surroundings.hasColours() ? BOLD + line + PLAIN : line);
    }
  }

  public void add(Object... cells) {
    String line =
        surroundings.isOnTerminal()
            ? columns.formatted(cells).stripTrailing()
            : Arrays.stream(cells).map(String::valueOf).collect(Collectors.joining("\t"));
    surroundings.out().println(line);
  }
}
