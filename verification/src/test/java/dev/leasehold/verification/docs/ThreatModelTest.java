package dev.leasehold.verification.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every promise of the threat model names a test, and every test that it names exists. */
class ThreatModelTest {
  private static final Path DOCUMENT = Documents.ROOT.resolve("docs/THREAT_MODEL.md");
  private static final String BEGIN = "## What is tried, and by which test";
  private static final Pattern NAMED =
      Pattern.compile("`([A-Z][A-Za-z]+(?:Test|Contract))(?:\\.([a-z][A-Za-z]+))?`");

  private static List<String> rows(String text) {
    return text.substring(text.indexOf(BEGIN))
        .lines()
        .filter(line -> line.startsWith("| "))
        .skip(1)
        .toList();
  }

  @Test
  void everyRowNamesATest() {
    List<String> rows = rows(Documents.read(DOCUMENT));
    assertThat(rows).hasSizeGreaterThan(20).allMatch(row -> NAMED.matcher(row).find());
  }

  @Test
  void everyTestThatIsNamedIsThere() {
    assertThat(missing(Documents.read(DOCUMENT))).isEmpty();
  }

  /** The control. */
  @Test
  void aTestThatIsNotThereIsMissed() {
    assertThat(missing("`ThreatModelTest.rumour`, `NoSuchTest` and `ThreatModelTest`"))
        .containsExactly("ThreatModelTest.rumour", "NoSuchTest");
  }

  private static List<String> missing(String text) {
    List<String> missing = new ArrayList<>();
    Matcher named = NAMED.matcher(text);
    while (named.find()) {
      String method = named.group(2);
      List<Path> files = sources(named.group(1) + ".java");
      boolean there =
          !files.isEmpty()
              && (method == null
                  || files.stream()
                      .anyMatch(file -> Documents.read(file).contains("void " + method + "(")));
      if (!there) {
        missing.add(method == null ? named.group(1) : named.group(1) + "." + method);
      }
    }
    return missing;
  }

  private static List<Path> sources(String name) {
    try (Stream<Path> files = Files.walk(Documents.ROOT)) {
      return files
          .filter(file -> file.getFileName().toString().equals(name))
          .filter(file -> file.toString().contains("/src/"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
