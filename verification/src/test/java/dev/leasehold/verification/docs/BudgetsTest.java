package dev.leasehold.verification.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a build says of the test classes that took longer than they may. */
class BudgetsTest {
  private static final Instant BUILD = Instant.parse("2026-05-06T07:08:09Z");

  private static final Pattern ROW =
      Pattern.compile("^\\| \\S+ \\| `(\\w+)` \\| [0-9.]+ \\| [0-9]+ \\|$", Pattern.MULTILINE);

  @TempDir Path root;

  @BeforeEach
  void documentsOneBudget() throws IOException {
    Files.createDirectories(root.resolve("examples"));
    write(
        "docs/evidence/build.md",
        """
        | module | test class | seconds | budget |
        |---|---|---|---|
        | store | `SlowTest` | 8.1 | 20 |
        """);
  }

  private Path write(String file, String text) throws IOException {
    Path path = root.resolve(file);
    Files.createDirectories(Objects.requireNonNull(path.getParent()));
    return Files.writeString(path, text);
  }

  private Path took(String module, String name, String seconds) throws IOException {
    Path report =
        write(
            module + "/target/surefire-reports/TEST-" + name + ".xml",
            "<?xml version=\"1.0\"?>\n<testsuite version=\"3.0.2\" name=\"dev.leasehold."
                + name
                + "\" time=\""
                + seconds
                + "\" tests=\"1\">\n</testsuite>");
    return Files.setLastModifiedTime(report, FileTime.from(BUILD));
  }

  private List<String> said(String... more) throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            Documents.ROOT.resolve("build/Budgets.java").toString(),
            root.toString(),
            BUILD.toString());
    builder.command().addAll(List.of(more));
    Process process = builder.redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(text).isZero();
    return text.lines().toList();
  }

  @Test
  void classesAboveTheirBudgetAreNamedTheMostExpensiveFirst() throws Exception {
    took("store", "SlowTest", "20.1");
    took("kernel", "QuickTest", "10.0");
    took("examples/gateway", "NewTest", "1,005.26");
    assertThat(said())
        .containsExactly(
            "Test classes over their budget (docs/evidence/build.md):",
            "NewTest in gateway took 1005.3 s, and its budget is 10 s",
            "SlowTest in store took 20.1 s, and its budget is 20 s");
  }

  @Test
  void nothingIsSaidOfTheRestNorOfReportsOfAnEarlierBuild() throws Exception {
    took("store", "SlowTest", "19.9");
    Path old = took("store", "GoneTest", "60.0");
    Files.setLastModifiedTime(old, FileTime.from(BUILD.minusSeconds(1)));
    assertThat(said()).isEmpty();
  }

  @Test
  void theFastLoopLeavesOutWhatHasABudgetOfItsOwn() {
    List<String> budgeted =
        ROW.matcher(Documents.read(Documents.ROOT.resolve("docs/evidence/build.md")))
            .results()
            .map(row -> "**/" + row.group(1) + ".java")
            .toList();
    List<String> leftOut =
        Documents.read(Documents.ROOT.resolve("build/slow-tests.txt"))
            .lines()
            .filter(line -> !line.startsWith("#"))
            .toList();
    assertThat(budgeted).isNotEmpty();
    assertThat(leftOut).containsExactlyInAnyOrderElementsOf(budgeted);
  }

  @Test
  void theRowsOfTheTableAreMadeFromABuild() throws Exception {
    took("store", "SlowTest", "9.04");
    took("kernel", "QuickTest", "10.0");
    took("kernel", "NewTest", "12.0");
    assertThat(said("table"))
        .containsExactly("| kernel | `NewTest` | 12.0 | 10 |", "| store | `SlowTest` | 9.0 | 20 |");
  }
}
