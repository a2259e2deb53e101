package dev.leasehold.verification.fuzzing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs Jazzer in a JVM of its own, on one parser, for a bounded time. */
final class Fuzzer {
  private static final String JAZZER = "com.code_intelligence.jazzer.Jazzer";
  private static final int SECONDS = Integer.getInteger("leasehold.fuzz.seconds", 60);

  private Fuzzer() {}

  /** The output of a run; the exit code says whether Jazzer found something. */
  record Report(int exitCode, String text) {}

  /** Runs it from these seeds. Its findings are kept in a folder under {@code target/fuzzing}. */
  static Report run(Class<?> target, String argument, Path seeds) throws Exception {
    Path runs = Files.createDirectories(Path.of("target", "fuzzing").toAbsolutePath());
    Path folder = Files.createTempDirectory(runs, argument + "-");
    Path output = folder.resolve("output.txt");
    Path corpus = Files.createDirectory(folder.resolve("corpus"));
    Process jazzer =
        new ProcessBuilder(command(target, argument, List.of(corpus, seeds.toAbsolutePath())))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(jazzer.waitFor(10L * SECONDS + 120, TimeUnit.SECONDS))
          .as("Jazzer ended in time: %s", output)
          .isTrue();
    } finally {
      jazzer.destroyForcibly().waitFor();
    }
    return new Report(jazzer.exitValue(), Files.readString(output));
  }

  private static List<String> command(Class<?> target, String argument, List<Path> corpora) {
    Stream<String> jvm =
        Stream.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:+EnableDynamicAgentLoading",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path", ""),
            JAZZER);
    Stream<String> settings =
        Stream.of(
            "--target_class=" + target.getName(),
            "--target_args=" + argument,
            "--instrumentation_includes=dev.leasehold.**",
            // Its detectors look for other things: deserialization, injection.
            "--disabled_hooks=**",
            "-max_total_time=" + SECONDS,
            "-max_len=4096");
    return Stream.of(jvm, settings, corpora.stream().map(Path::toString))
        .flatMap(part -> part)
        .toList();
  }

  static List<Path> seedsIn(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
