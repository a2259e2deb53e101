package dev.leasehold.verification.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Documents point only to files and tests that exist. */
class LinksTest {
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:\\s]+)(#[^)]*)?\\)");
  private static final Pattern TEST_NAME = Pattern.compile("`(\\w+(?:Test|Contract))`");

  @Test
  void everyLinkLeadsSomewhere() {
    List<String> broken = new ArrayList<>();
    for (Path document : Documents.all()) {
      Matcher link = LINK.matcher(Documents.read(document));
      while (link.find()) {
        if (!Files.exists(document.resolveSibling(link.group(1)))) {
          broken.add(document + " -> " + link.group(1));
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void everyTestThatADocumentNamesExists() throws IOException {
    Set<String> classes;
    try (Stream<Path> files = Files.walk(Documents.ROOT)) {
      classes =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(".java"))
              .map(name -> name.substring(0, name.length() - ".java".length()))
              .collect(Collectors.toSet());
    }
    List<String> missing = new ArrayList<>();
    for (Path document : Documents.all()) {
      Matcher name = TEST_NAME.matcher(Documents.read(document));
      while (name.find()) {
        if (!classes.contains(name.group(1))) {
          missing.add(document + " -> " + name.group(1));
        }
      }
    }
    assertThat(missing).isEmpty();
  }
}
