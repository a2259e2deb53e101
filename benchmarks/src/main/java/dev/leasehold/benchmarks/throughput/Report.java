package dev.leasehold.benchmarks.throughput;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The results as Markdown, printed as they come, and kept in a file. */
final class Report {
  private static final System.Logger LOG = System.getLogger("leasehold.comparison");
  private static final double WHOLE_FROM = 100;
  private static final double TENTHS_FROM = 10;

  private final List<String> lines = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();

  void title(String title) {
    line("");
    line("### " + title);
    line("");
  }

  void header(String... columns) {
    line("| " + String.join(" | ", columns) + " |");
    line("|" + "---|".repeat(columns.length));
  }

  void row(Object... cells) {
    List<String> texts = new ArrayList<>();
    for (Object cell : cells) {
      texts.add(cell instanceof Double number ? number(number) : String.valueOf(cell));
    }
    line("| " + String.join(" | ", texts) + " |");
  }

  void note(String text) {
    line("");
    line(text);
  }

  void failure(String text) {
    failures.add(text);
    note("**" + text + "**");
  }

  List<String> lines() {
    return List.copyOf(lines);
  }

  /** Cases and contestants that failed. */
  List<String> failures() {
    return List.copyOf(failures);
  }

  /** A target, whether it was met, and by what figure. */
  void target(boolean met, String target, String measured) {
    note("Target: %s. Measured: %s. **%s**".formatted(target, measured, met ? "Met." : "Missed."));
  }

  private void line(String text) {
    lines.add(text);
    LOG.log(Level.INFO, text);
  }

  void write(Path file) throws IOException {
    Files.write(file, lines);
    LOG.log(Level.INFO, "written to " + file.toAbsolutePath());
  }

  static String number(double number) {
    String format = number >= WHOLE_FROM ? "%,.0f" : number >= TENTHS_FROM ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, format, number);
  }

  static String times(double ratio) {
    return number(ratio) + " x";
  }

  static String percent(double part) {
    return number(100 * part) + " %";
  }
}
