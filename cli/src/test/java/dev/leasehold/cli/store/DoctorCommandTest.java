package dev.leasehold.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.Shell;
import dev.leasehold.cli.Shell.Result;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.store.jdbc.JdbcStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real file, and one fault at a time. */
@Timeout(120)
class DoctorCommandTest {
  @TempDir private Path folder;
  private final Shell shell = new Shell();

  @BeforeEach
  void nameTheStoreAndTheFolder() {
    shell.environment.put("LEASEHOLD_STORE", "sqlite:" + file());
    shell.environment.put("LEASEHOLD_DATA", folder.resolve("data").toString());
  }

  private Path file() {
    return folder.resolve("leases.db");
  }

  @Test
  void aFileAsItShouldBeIsSound() throws IOException {
    assertThat(shell.run("migrate").code()).isZero();
    Files.createDirectory(folder.resolve("data"));
    // A command that only looks leaves no files that would pass for a witness.
    for (int i = 0; i < 2; i++) {
      assertThat(shell.run("doctor").out()).contains("warning  witness    the folder of --data");
    }
    assertThat(shell.run("lease", "acquire", "lock/a").code()).isZero();
    Result found = shell.run("doctor");
    assertThat(found.code()).as(found.out() + found.err()).isZero();
    // The lease has no charter, which is a finding of the audit.
    assertThat(found.out().lines().filter(line -> !line.contains(" audit ")))
        .hasSize(10)
        .allMatch(line -> line.startsWith("ok "));
    assertThat(found.out()).contains("journal_mode is wal, synchronous is FULL");
  }

  @Test
  void withoutAFolderThereIsNoWitness() {
    assertThat(shell.run("migrate").code()).isZero();
    shell.environment.remove("LEASEHOLD_DATA");
    Result found = shell.run("doctor");
    assertThat(found.code()).isZero();
    assertThat(found.out()).contains("warning  witness", "--data");
  }

  @Test
  void aFolderThatIsNotThereIsSaidAndNotMade() {
    assertThat(shell.run("migrate").code()).isZero();
    Result found = shell.run("doctor");
    assertThat(found.code()).isZero();
    assertThat(found.out())
        .contains("warning  witness    there is no folder " + folder.resolve("data"));
    assertThat(folder.resolve("data")).doesNotExist();
  }

  /** The witness is where serve keeps it by default. */
  @Test
  void aWitnessInTheFolderOfTheFileGoesBackWithIt() {
    String data = folder.resolve("data").toString();
    for (String file : new String[] {data + "/leases.db", data + "/below/../leases.db"}) {
      shell.environment.put("LEASEHOLD_STORE", "sqlite:" + file);
      assertThat(folder.resolve("data/below").toFile().mkdirs() || file.contains("..")).isTrue();
      assertThat(shell.run("migrate").code()).isZero();
      Result found = shell.run("doctor");
      assertThat(found.code()).as(found.out()).isZero();
      assertThat(found.out()).contains("warning  witness", "keep --data on another disk");
    }
  }

  @Test
  void aFileThatIsNotThereIsNotMade() {
    Result found = shell.run("doctor");
    assertThat(found.code()).isEqualTo(5);
    assertThat(found.err()).contains("there is no file");
    assertThat(file()).doesNotExist();
  }

  @Test
  void aFileWithoutASchemaIsLeftWithoutOne() throws IOException {
    Files.createFile(file());
    Result found = shell.run("doctor", "--schema", "check");
    assertThat(found.code()).isEqualTo(7);
    assertThat(found.out()).contains("problem  schema", "0001-leases");
    Result other = shell.run("doctor", "--json");
    assertThat(other.code()).as("the next command makes it, but is it this one?").isEqualTo(7);
    assertThat(other.member("outcome")).isEqualTo("problems");
    assertThat(other.out()).contains("is it the right one?", "the other checks were left out");
    assertThat(shell.run("lease", "list", "--schema", "check").code()).isEqualTo(6);
  }

  @Test
  void aWitnessThatKnowsMoreThanTheFile() throws IOException {
    assertThat(shell.run("lease", "acquire", "lock/before").code()).isZero();
    Path copy = Files.copy(file(), folder.resolve("copy.db"));
    assertThat(shell.run("lease", "acquire", "lock/after").code()).isZero();
    Files.copy(copy, file(), StandardCopyOption.REPLACE_EXISTING);
    Result found = shell.run("doctor");
    assertThat(found.code()).isEqualTo(7);
    assertThat(found.out())
        .contains("problem  witness", "lock/after", "leasehold incarnation advance");
    assertThat(shell.run("incarnation", "advance", "--hold-off", "0s").code()).isZero();
    assertThat(shell.run("doctor").out()).contains("ok       witness");
  }

  @Test
  void aTokenThatTheStoreNeverIssued() {
    String secret = "00000000000000000000000000000001";
    assertThat(shell.run("lease", "acquire", "lock/a").code()).isZero();
    Result usual = shell.run("doctor");
    assertThat(usual.code()).as("what the command line holds needs no charter").isZero();
    assertThat(usual.out())
        .contains("ok       rollbacks", "warning  audit", ": lock", "leasehold exec");
    assertThat(shell.run("audit").code()).as("and is a hole to the audit").isEqualTo(7);
    String token = "8000000000000000";
    assertThat(shell.run("lease", "renew", "lock/a", "--token", token, "--instance", secret).code())
        .isEqualTo(4);
    Result found = shell.run("doctor", "--json");
    assertThat(found.code()).isEqualTo(7);
    assertThat(found.out()).contains("\"check\":\"rollbacks\",\"verdict\":\"problem\"", token);
  }

  @Test
  void throughAServerItTellsWhatThatFinds() {
    try (JdbcStore store = JdbcStore.at("sqlite:" + file()).migrate().open();
        LeaseholdServer server = LeaseholdServer.on(store).start()) {
      String address = server.address().toString();
      Result sound = shell.run("doctor", "--server", address);
      assertThat(sound.code()).as(sound.out() + sound.err()).isZero();
      assertThat(sound.out()).contains("ok       store", "warning  witness");
      assertThat(shell.run("lease", "acquire", "lock/a", "--server", address).code()).isZero();
      String[] madeUp = {"--token", "8000000000000000", "--instance", "0".repeat(31) + "1"};
      assertThat(
              shell
                  .run(
                      "lease",
                      "renew",
                      "lock/a",
                      "--server",
                      address,
                      madeUp[0],
                      madeUp[1],
                      madeUp[2],
                      madeUp[3])
                  .code())
          .isEqualTo(4);
      // The first server keeps its findings for a while.
      try (LeaseholdServer other = LeaseholdServer.on(store).start()) {
        Result hole = shell.run("doctor", "--server", other.address().toString(), "--json");
        assertThat(hole.code()).isEqualTo(7);
        assertThat(hole.member("outcome")).isEqualTo("problems");
      }
    }
    assertThat(shell.run("doctor", "--server", "http://127.0.0.1:1").code()).isEqualTo(5);
  }

  @Test
  void aStoreInMemoryHasLittleToLookAt() {
    Result found = shell.run("doctor", "--store", "memory:");
    assertThat(found.code()).isZero();
    assertThat(found.out().lines()).hasSize(3);
  }
}
