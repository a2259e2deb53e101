package dev.leasehold.cli.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.launcher.Processes.Result;
import dev.leasehold.cli.launcher.Processes.Started;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher's own decisions, in a repository of two files, with a JDK and a Maven that are shell
 * scripts.
 */
class LauncherTest {
  @TempDir Path folder;
  private Path repository;
  private Path source;
  private Path builds;

  @BeforeEach
  void makeARepository() throws IOException {
    repository = Files.createDirectory(folder.resolve("repo with a space"));
    Files.copy(
        Processes.ROOT.resolve("leasehold"),
        repository.resolve("leasehold"),
        java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
    source = repository.resolve("cli/src/main/A.java");
    Files.createDirectories(source.getParent());
    for (Path file :
        List.of(repository.resolve("pom.xml"), repository.resolve("cli/pom.xml"), source)) {
      Files.writeString(file, "");
    }
    age();
    builds = folder.resolve("builds");
    maven("mkdir -p '%1$s/cli/target'; echo jar > '%1$s/cli/target/leasehold.jar'");
    jdk("jdk-21", "21.0.4");
  }

  /** Makes the files older than all that this test builds. */
  private void age() throws IOException {
    try (Stream<Path> files = Files.walk(repository)) {
      for (Path file : files.toList()) {
        Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2026-01-01T00:00:00Z")));
      }
    }
  }

  /** Prints how it was started. */
  private Path jdk(String name, String version) throws IOException {
    Path home = folder.resolve(name);
    Processes.script(home.resolve("bin/java"), "echo " + name + " runs \"$@\"");
    Processes.script(home.resolve("bin/javac"), "exit 1");
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    return home;
  }

  private void maven(String then) throws IOException {
    Processes.script(
        folder.resolve("bin/mvn"),
        "echo \"JAVA_HOME=$JAVA_HOME $*\" >> '" + builds + "'; " + then.formatted(repository));
  }

  private Map<String, String> environment(String jdk) {
    return Map.of(
        "JAVA_HOME",
        folder.resolve(jdk).toString(),
        "PATH",
        folder.resolve("bin") + ":" + System.getenv("PATH"));
  }

  private Result run(String jdk, String... args) throws IOException {
    return Processes.run(folder, environment(jdk), repository.resolve("leasehold"), args);
  }

  private List<String> builds() throws IOException {
    return Files.exists(builds) ? Files.readAllLines(builds) : List.of();
  }

  @Test
  void itBuildsOnceAndHandsOverToTheJvm() throws IOException {
    Result first = run("jdk-21", "lease", "show", "a b");
    assertThat(first.code()).isZero();
    assertThat(first.out()).startsWith("jdk-21 runs ").endsWith("lease show a b\n");
    Result second = run("jdk-21", "x");
    assertThat(second.err()).isEmpty();
    assertThat(builds())
        .hasSize(1)
        .first()
        .asString()
        .contains("JAVA_HOME=" + folder.resolve("jdk-21"), " -pl cli -am package ")
        .doesNotContain("install");
  }

  @Test
  void launchersThatStartTogetherBuildOnce() throws IOException {
    List<Started> launchers = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      launchers.add(
          Processes.start(
              folder,
              environment("jdk-21"),
              List.of(repository.resolve("leasehold").toString(), "x")));
    }
    assertThat(launchers).allMatch(launcher -> launcher.result().code() == 0);
    assertThat(builds()).hasSize(1);
  }

  @Test
  void itBuildsAgainWhenASourceHasChangedOrGone() throws IOException {
    assertThat(run("jdk-21", "x").code()).isZero();
    FileTime built = Files.getLastModifiedTime(repository.resolve("target/launcher/leasehold.jar"));
    Files.setLastModifiedTime(source, FileTime.from(built.toInstant().plus(Duration.ofMillis(1))));
    assertThat(run("jdk-21", "x").code()).isZero();
    assertThat(builds()).hasSize(2);

    age();
    Files.delete(source);
    assertThat(run("jdk-21", "x").code()).isZero();
    assertThat(builds()).hasSize(3);
  }

  @Test
  void aJarThatMavenHasJustBuiltIsTaken() throws IOException {
    Path jar = repository.resolve("cli/target/leasehold.jar");
    Files.createDirectories(jar.getParent());
    Files.writeString(jar, "built by hand");
    assertThat(run("jdk-21", "x").code()).isZero();
    assertThat(builds()).isEmpty();
    assertThat(repository.resolve("target/launcher/leasehold.jar")).hasContent("built by hand");
  }

  @Test
  void aBuildThatFailsIsShownAndTriedAgain() throws IOException {
    maven("echo this is why; exit 1");
    for (int i = 1; i <= 2; i++) {
      Result result = run("jdk-21", "x");
      assertThat(result.code()).isEqualTo(1);
      assertThat(result.out()).isEmpty();
      assertThat(result.err()).contains("this is why\n", "leasehold: the build failed");
      assertThat(builds()).hasSize(i);
    }
  }

  @Test
  void aJdkThatIsTooOldIsPassedOver() throws IOException {
    jdk("jdk-17", "17.0.9");
    jdk("jdk-8", "1.8.0_392");
    for (String old : List.of("jdk-17", "jdk-8")) {
      assertThat(run(old, "x").out()).doesNotContain(old + " runs");
    }
  }

  @Test
  void aJdkOnThePathIsFound() throws IOException {
    Path jdk = jdk("jdk-22", "22");
    Files.createSymbolicLink(folder.resolve("bin/java"), jdk.resolve("bin/java"));
    assertThat(run("none", "x").out()).startsWith("jdk-22 runs ");
  }
}
