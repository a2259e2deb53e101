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

  private final CommandContext context;
  private final String columns;

  /** Starts a table. */
  public Table(CommandContext context, String columns, List<String> heading) {
    this.context = context;
    this.columns = columns;
    if (context.isOnTerminal()) {
      String line = columns.formatted(heading.toArray());
      context.out().println(context.hasColours() ? BOLD + line + PLAIN : line);
    }
  }

  public void add(Object... cells) {
    String line =
        context.isOnTerminal()
            ? columns.formatted(cells).stripTrailing()
            : Arrays.stream(cells).map(String::valueOf).collect(Collectors.joining("\t"));
    context.out().println(line);
  }
}
