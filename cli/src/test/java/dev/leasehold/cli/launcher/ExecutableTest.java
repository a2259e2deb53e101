package dev.leasehold.cli.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.launcher.Processes.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real launcher and the newly packaged jar, from another folder. */
class ExecutableTest {
  @TempDir Path folder;

  private Result run(Path program, String... args) throws IOException {
    return Processes.run(folder, Map.of("LEASEHOLD_STORE", "sqlite:leases.db"), program, args);
  }

  @Test
  void aLeaseIsTakenThroughALinkFromAnotherFolder() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("lh"), Processes.ROOT.resolve("leasehold"));
    Result granted = run(link, "lease", "acquire", "lock/a", "--ttl", "1h", "--json");
    assertThat(granted.code()).as(granted.err()).isZero();
    assertThat(granted.out()).startsWith("{\"outcome\":\"granted\",\"key\":\"lock/a\",");
    assertThat(granted.err()).as("built already, and no warning of the JVM's").isEmpty();
    assertThat(folder.resolve("leases.db")).exists();

    Result held = run(link, "lease", "acquire", "lock/a");
    assertThat(held.code()).isEqualTo(3);
    assertThat(held.out()).isEmpty();
    assertThat(held.err()).startsWith("leasehold: lock/a is held by ");
  }

  @Test
  void aDriverForPostgresIsInTheJar() throws IOException {
    Result result =
        run(
            Processes.ROOT.resolve("leasehold"),
            "migrate",
            "--store",
            "jdbc:postgresql://127.0.0.1:1/none");
    assertThat(result.code()).isEqualTo(5);
    assertThat(result.err()).contains("127.0.0.1:1 refused").hasLineCount(1);
  }

  @Test
  void theDemoTellsItsStoryToTheEnd() throws IOException {
    Result demo = run(Processes.ROOT.resolve("leasehold"), "demo");
    assertThat(demo.code()).as(demo.err()).isZero();
    assertThat(demo.err()).isEmpty();
    assertThat(demo.out())
        .containsSubsequence(
            "A is stopped (SIGSTOP)",
            "A goes on (SIGCONT)",
            "A's write was refused: token ",
            "The account says 50",
            "The same again",
            "A's write was taken. The account says 70",
            "docs/fences.md");
    assertThat(folder.resolve("leases.db")).as("the demo has a store of its own").doesNotExist();
  }

  @Test
  void theJarHasOneManifestAndNoForeignDescriptors() throws IOException {
    Path file = Processes.ROOT.resolve("cli/target/leasehold.jar");
    try (JarFile jar = new JarFile(file.toFile())) {
      Map<String, String> manifest = new TreeMap<>();
      jar.getManifest()
          .getMainAttributes()
          .forEach((name, value) -> manifest.put(name.toString(), value.toString()));
      assertThat(manifest)
          .containsEntry("Main-Class", "dev.leasehold.cli.Main")
          .containsEntry("Multi-Release", "true")
          .containsEntry("Enable-Native-Access", "ALL-UNNAMED");
      List<String> names = jar.stream().map(entry -> entry.getName()).toList();
      assertThat(names)
          .doesNotHaveDuplicates()
          .contains("META-INF/services/java.sql.Driver")
          .noneMatch(name -> name.endsWith("module-info.class"))
          .noneMatch(name -> name.matches("META-INF/[^/]*\\.(SF|RSA|DSA)"));
      String drivers =
          new String(
              jar.getInputStream(jar.getEntry("META-INF/services/java.sql.Driver")).readAllBytes(),
              java.nio.charset.StandardCharsets.UTF_8);
      assertThat(drivers).contains("org.sqlite.JDBC", "org.postgresql.Driver");
    }
  }
}
