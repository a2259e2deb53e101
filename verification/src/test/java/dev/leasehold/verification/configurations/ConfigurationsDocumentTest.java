package dev.leasehold.verification.configurations;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table names every existing test, and no other. */
class ConfigurationsDocumentTest {
  private static final Path TABLE = Path.of("../docs/evidence/configurations.md");

  /** {@code Group.test}, or {@code .test} of the group before. */
  private static final Pattern NAME = Pattern.compile("`([A-Za-z]*)\\.([a-z][A-Za-z]+)`");

  @Test
  void everyTestIsInTheTableAndEveryNameIsATest() throws IOException {
    List<String> named = new ArrayList<>();
    String group = "";
    for (MatchResult match : NAME.matcher(Files.readString(TABLE)).results().toList()) {
      group = match.group(1).isEmpty() ? group : match.group(1);
      if (!group.endsWith("Test")) {
        named.add(group + "." + match.group(2));
      }
    }
    assertThat(named).containsExactlyInAnyOrderElementsOf(tests());
  }

  private static List<String> tests() {
    return Stream.of(NamedConfigurationsTest.class.getDeclaredClasses())
        .flatMap(group -> Stream.of(group.getDeclaredMethods()))
        .filter(method -> method.isAnnotationPresent(Test.class))
        .map(ConfigurationsDocumentTest::name)
        .toList();
  }

  private static String name(Method test) {
    return test.getDeclaringClass().getSimpleName() + "." + test.getName();
  }
}
