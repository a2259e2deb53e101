package dev.leasehold.verification.publication;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.openjdk.jcstress.Main;
import org.openjdk.jcstress.infra.collectors.DiskReadCollector;
import org.openjdk.jcstress.infra.collectors.InProcessCollector;
import org.openjdk.jcstress.infra.collectors.TestResult;

/**
 * Runs jcstress in a JVM of its own, which forks one more for each race. In every build a race has
 * one configuration; with {@code -Dleasehold.proof=true} jcstress itself chooses compilers, their
 * stress modes and how threads are placed.
 */
final class Jcstress {
  /** How long a race runs; the longer times are for busy machines. */
  static final List<Integer> EFFORTS_MILLIS = List.of(500, 5_000, 30_000);

  private static final boolean PROOF = Boolean.getBoolean("leasehold.proof");
  private static final long LIMIT_MINUTES = PROOF ? 120 : 20;
  private static final List<String> ONE_CONFIGURATION =
      List.of("-sc", "false", "-af", "NONE", "-jvmArgs", "-XX:+UseSerialGC");

  private Jcstress() {}

  /**
   * Runs these races and returns the results. jcstress leaves a report in the folder of the run.
   */
  static Collection<TestResult> run(List<String> races, int millis) throws Exception {
    Path runs = Files.createDirectories(Path.of("target", "jcstress").toAbsolutePath());
    Path folder = Files.createTempDirectory(runs, "run-");
    Path output = folder.resolve("output.txt");
    Process jcstress =
        new ProcessBuilder(command(races, millis))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean finished;
    try {
      finished = jcstress.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES);
    } finally {
      jcstress.descendants().forEach(ProcessHandle::destroyForcibly);
      jcstress.destroyForcibly().waitFor();
    }
    assertThat(finished).as("jcstress ended in time: %s", output).isTrue();
    return read(resultFile(folder));
  }

  private static List<String> command(List<String> races, int millis) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", classPath(), Main.class.getName()));
    command.addAll(
        List.of("-t", races.stream().map(Pattern::quote).collect(Collectors.joining("|"))));
    command.addAll(
        List.of("-f", "1", "-iters", "1", "-hs", "256", "-time", Integer.toString(millis)));
    command.addAll(PROOF ? List.of() : ONE_CONFIGURATION);
    return command;
  }

  /** Without the testkit: jcstress takes every class that is called Result for one of its own. */
  private static String classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !entry.contains("testkit"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static Path resultFile(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> results = files.filter(file -> file.toString().endsWith(".bin.gz")).toList();
      assertThat(results).as("results of jcstress in %s", folder).hasSize(1);
      return results.getFirst();
    }
  }

  private static Collection<TestResult> read(Path file) throws Exception {
    InProcessCollector collector = new InProcessCollector();
    DiskReadCollector reader = new DiskReadCollector(file.toString(), collector);
    try {
      reader.dump();
    } finally {
      reader.close();
    }
    return collector.getTestResults();
  }
}
