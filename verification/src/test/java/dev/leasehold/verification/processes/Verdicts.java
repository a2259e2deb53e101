package dev.leasehold.verification.processes;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What became of tests in another process: by the id of each test or class, the text of its
 * failure, or no text if it passed.
 */
final class Verdicts {
  static final Verdicts NONE = new Verdicts(Map.of());

  private final Map<String, String> failures;

  private Verdicts(Map<String, String> failures) {
    this.failures = Map.copyOf(failures);
  }

  static Verdicts read(Path file) throws IOException {
    Map<String, String> failures = new HashMap<>();
    for (String line : Files.readAllLines(file)) {
      int end = line.indexOf(' ');
      byte[] text = Base64.getDecoder().decode(line.substring(0, end));
      failures.put(line.substring(end + 1), new String(text, StandardCharsets.UTF_8));
    }
    return new Verdicts(failures);
  }

  /** Fails if the test, or all that it is part of, has failed there or did not run at all. */
  void requirePassed(String test) {
    for (Map.Entry<String, String> entry : failures.entrySet()) {
      if (test.startsWith(entry.getKey()) && !entry.getValue().isEmpty()) {
        throw new AssertionError("in a process of its own: " + entry.getValue());
      }
    }
    if (!failures.containsKey(test)) {
      throw new AssertionError("did not run in the process of its own: " + test);
    }
  }

  /** Collects them as the tests end. */
  static final class Builder {
    private final List<String> lines = new ArrayList<>();

    synchronized void add(String id, Optional<Throwable> failure) {
      byte[] text = failure.map(Builder::text).orElse("").getBytes(StandardCharsets.UTF_8);
      lines.add(Base64.getEncoder().encodeToString(text) + " " + id);
    }

    private static String text(Throwable failure) {
      return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
          .flatMap(one -> Stream.concat(Stream.of(one), Stream.of(one.getStackTrace())))
          .map(Object::toString)
          .collect(Collectors.joining("\n    "));
    }

    synchronized void write(Path file) throws IOException {
      Files.write(file, lines);
    }
  }
}
