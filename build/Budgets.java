import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Names the test classes that took longer in this build than docs/evidence/build.md allows them; a
 * class that has no row there has ten seconds. It never fails a build: on a busy machine all
 * classes take longer. With {@code table} it prints the rows of that document instead, with what
 * the classes took now.
 */
final class Budgets {
  private static final int DEFAULT_SECONDS = 10;
  private static final Pattern ROW =
      Pattern.compile("\\| (\\S+) \\| `(\\S+)` \\| [0-9.]+ \\| ([0-9]+) \\|");
  private static final Pattern SUITE =
      Pattern.compile("<testsuite [^>]*?\\bname=\"([^\"]+)\" time=\"([0-9.,]+)\"");

  /** A test class and the module that it is in. */
  private record Suite(String module, String name) {
    String row(BigDecimal seconds, int budget) {
      return "| %s | `%s` | %s | %d |".formatted(module, name, seconds.toPlainString(), budget);
    }
  }

  private final Map<Suite, Integer> budgets = new HashMap<>();
  private final Map<Suite, BigDecimal> costs = new HashMap<>();

  public static void main(String[] args) throws IOException {
    Path root = Path.of(args[0]);
    Budgets budgets = new Budgets();
    budgets.readBudgets(root.resolve("docs/evidence/build.md"));
    budgets.readCosts(root, Instant.parse(args[1]));
    List<String> lines =
        args.length > 2 && args[2].equals("table") ? budgets.table() : budgets.exceeded();
    lines.forEach(System.out::println);
  }

  private void readBudgets(Path document) throws IOException {
    for (String line : Files.readAllLines(document)) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        budgets.put(new Suite(row.group(1), row.group(2)), Integer.parseInt(row.group(3)));
      }
    }
  }

  /** Of this build only: reports of classes that are gone may lie about still. */
  private void readCosts(Path root, Instant since) throws IOException {
    try (Stream<Path> modules = Files.list(root);
        Stream<Path> examples = Files.list(root.resolve("examples"))) {
      for (Path module : Stream.concat(modules, examples).sorted().toList()) {
        Path reports = module.resolve("target/surefire-reports");
        if (Files.isDirectory(reports)) {
          readModule(module.getFileName().toString(), reports, since);
        }
      }
    }
  }

  private void readModule(String module, Path reports, Instant since) throws IOException {
    try (Stream<Path> files = Files.list(reports)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".xml")).toList()) {
        if (Files.getLastModifiedTime(file).toInstant().isBefore(since)) {
          continue;
        }
        Matcher suite = SUITE.matcher(Files.readString(file));
        if (suite.find()) {
          String name = suite.group(1);
          costs.merge(
              new Suite(module, name.substring(name.lastIndexOf('.') + 1)),
              new BigDecimal(suite.group(2).replace(",", "")),
              BigDecimal::add);
        }
      }
    }
  }

  private int budgetOf(Suite suite) {
    return Optional.ofNullable(budgets.get(suite)).orElse(DEFAULT_SECONDS);
  }

  private List<String> exceeded() {
    List<String> lines = new ArrayList<>();
    for (Suite suite : mostExpensiveFirst()) {
      BigDecimal seconds = costs.get(suite);
      if (seconds.compareTo(BigDecimal.valueOf(budgetOf(suite))) > 0) {
        lines.add(
            "%s in %s took %s s, and its budget is %d s"
                .formatted(suite.name(), suite.module(), rounded(seconds), budgetOf(suite)));
      }
    }
    if (!lines.isEmpty()) {
      lines.add(0, "Test classes over their budget (docs/evidence/build.md):");
    }
    return lines;
  }

  /** Every class that has a budget of its own, or needs one. */
  private List<String> table() {
    return mostExpensiveFirst().stream()
        .filter(
            suite ->
                budgets.containsKey(suite)
                    || costs.get(suite).compareTo(BigDecimal.valueOf(DEFAULT_SECONDS)) > 0)
        .map(suite -> suite.row(rounded(costs.get(suite)), budgetOf(suite)))
        .toList();
  }

  private static BigDecimal rounded(BigDecimal seconds) {
    return seconds.setScale(1, RoundingMode.HALF_UP);
  }

  private List<Suite> mostExpensiveFirst() {
    return costs.keySet().stream()
        .sorted(Comparator.comparing((Suite suite) -> costs.get(suite)).reversed())
        .toList();
  }
}
