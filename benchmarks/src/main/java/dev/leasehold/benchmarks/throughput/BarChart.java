package dev.leasehold.benchmarks.throughput;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Draws the tables of a report as bars, one group for each table. The length of a bar is the rate
 * of its row; a table without rates shows its first column of milliseconds.
 */
final class BarChart {
  private static final Pattern TITLE = Pattern.compile("#{3,4} (.*)");
  private static final Pattern NUMBER = Pattern.compile("[\\d,]+(\\.\\d+)?");
  private static final int WIDTH = 860;
  private static final int LABELS = 360;
  private static final int LONGEST_BAR = 400;
  private static final int LINE = 20;
  private static final int GAP = 14;

  private final List<Group> groups;

  private BarChart(List<Group> groups) {
    this.groups = groups;
  }

  /** A table: its title, what its bars measure, and its bars. */
  record Group(String title, String unit, List<Bar> bars) {
    double longest() {
      return bars.stream().mapToDouble(Bar::value).max().orElse(1);
    }
  }

  /** A row: its first cell, and the figure that is drawn. */
  record Bar(String label, double value) {}

  /** Reads the Markdown that a {@link Report} writes. */
  static BarChart of(List<String> report) {
    List<Group> groups = new ArrayList<>();
    String title = "";
    for (int i = 0; i < report.size(); i++) {
      Matcher heading = TITLE.matcher(report.get(i));
      if (heading.matches()) {
        title = heading.group(1);
      } else if (report.get(i).startsWith("|---")) {
        Group group = table(title, report, i);
        if (!group.bars().isEmpty()) {
          groups.add(group);
        }
      }
    }
    return new BarChart(List.copyOf(groups));
  }

  List<Group> groups() {
    return groups;
  }

  private static Group table(String title, List<String> report, int rule) {
    List<String> columns = cells(report.get(rule - 1));
    int drawn = first(columns, "a second").orElseGet(() -> first(columns, " ms").orElse(0));
    List<Bar> bars = new ArrayList<>();
    for (int i = rule + 1; i < report.size() && report.get(i).startsWith("|"); i++) {
      List<String> cells = cells(report.get(i));
      number(cells.get(drawn)).ifPresent(value -> bars.add(new Bar(cells.getFirst(), value)));
    }
    return new Group(title, columns.get(drawn), bars);
  }

  private static OptionalInt first(List<String> columns, String part) {
    return IntStream.range(1, columns.size())
        .filter(i -> columns.get(i).contains(part))
        .findFirst();
  }

  private static List<String> cells(String line) {
    String inner = line.substring(1, line.lastIndexOf('|'));
    return Arrays.stream(inner.split("\\|", -1)).map(String::strip).toList();
  }

  private static OptionalDouble number(String cell) {
    Matcher matcher = NUMBER.matcher(cell);
    return matcher.lookingAt()
        ? OptionalDouble.of(Double.parseDouble(matcher.group().replace(",", "")))
        : OptionalDouble.empty();
  }

  String svg() {
    List<String> lines = new ArrayList<>();
    int y = GAP;
    for (Group group : groups) {
      y += LINE;
      lines.add(text(GAP, y, "bold", group.title() + ": " + group.unit()));
      for (Bar bar : group.bars()) {
        y += LINE;
        lines.addAll(drawn(bar, y, group.longest()));
      }
      y += GAP;
    }
    lines.addFirst(opening(y + GAP));
    lines.add(1, "<rect width='100%' height='100%' fill='white'/>");
    lines.add("</svg>");
    return String.join("\n", lines) + "\n";
  }

  private static String opening(int height) {
    String size = "width='%d' height='%d'".formatted(WIDTH, height);
    String box = "viewBox='0 0 %d %d'".formatted(WIDTH, height);
    String font = "font-family='sans-serif' font-size='12'";
    return "<svg xmlns='http://www.w3.org/2000/svg' %s %s %s>".formatted(size, box, font);
  }

  private static List<String> drawn(Bar bar, int y, double longest) {
    long width = Math.max(1, Math.round(LONGEST_BAR * bar.value() / longest));
    String color = bar.label().startsWith("Leasehold") ? "#2458a6" : "#b8bfc9";
    String rect =
        "<rect class='bar' x='%d' y='%d' width='%d' height='14' fill='%s'/>"
            .formatted(LABELS, y - 11, width, color);
    return List.of(
        text(GAP, y, "normal", bar.label()),
        rect,
        text(LABELS + (int) width + GAP / 2, y, "normal", Report.number(bar.value())));
  }

  private static String text(int x, int y, String weight, String content) {
    String escaped = content.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    return "<text x='%d' y='%d' font-weight='%s'>%s</text>".formatted(x, y, weight, escaped);
  }
}
