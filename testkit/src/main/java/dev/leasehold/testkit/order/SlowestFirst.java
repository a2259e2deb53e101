package dev.leasehold.testkit.order;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.ClassOrdererContext;

/**
 * Begins with the slowest test classes, so that none of them is left to run alone at the end. They
 * are named in a file, one on each line, the slowest first: {@code **}{@code /SlowTest.java}. The
 * file is what JUnit's configuration, or a system property, gives as {@code
 * leasehold.test.slowest}. The order of all others stays as it is.
 */
public final class SlowestFirst implements ClassOrderer {
  private static final String PREFIX = "**/";
  private static final String SUFFIX = ".java";

  @Override
  public void orderClasses(ClassOrdererContext context) {
    List<String> slowest =
        context
            .getConfigurationParameter("leasehold.test.slowest")
            .map(Path::of)
            .map(SlowestFirst::names)
            .orElse(List.of());
    context
        .getClassDescriptors()
        .sort(
            Comparator.comparingInt(
                one -> rank(slowest.indexOf(one.getTestClass().getSimpleName()))));
  }

  private static int rank(int index) {
    return index < 0 ? Integer.MAX_VALUE : index;
  }

  private static List<String> names(Path file) {
    List<String> names = new ArrayList<>();
    try {
      for (String line : Files.readAllLines(file)) {
        if (line.startsWith(PREFIX) && line.endsWith(SUFFIX)) {
          names.add(line.substring(PREFIX.length(), line.length() - SUFFIX.length()));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return List.copyOf(names);
  }
}
