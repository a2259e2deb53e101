package dev.leasehold.cli.command;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Rows of cells. On a terminal they are printed as columns under a heading; elsewhere each row is a
 * line with tabs between its cells, for programs such as cut.
 */
public final class TextTable {
  private static final String BOLD = "\033[1m";
  private static final String PLAIN = "\033[0m";

  private final CommandContext context;
  private final String format;

  /**
   * The columns of a table.
   *
   * @param format the widths of the columns on a terminal
   */
  public record Columns(String format, List<String> names) {
    public static Columns of(String format, String... names) {
      return new Columns(format, List.of(names));
    }
  }

  TextTable(CommandContext context, Columns columns) {
    this.context = context;
    this.format = columns.format();
    if (context.isOnTerminal()) {
      String line = format.formatted(columns.names().toArray());
      context.out().println(context.hasColours() ? BOLD + line + PLAIN : line);
    }
  }

  void add(List<?> cells) {
    String line =
        context.isOnTerminal()
            ? format.formatted(cells.toArray()).stripTrailing()
            : cells.stream().map(String::valueOf).collect(Collectors.joining("\t"));
    context.out().println(line);
  }
}
