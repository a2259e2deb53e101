package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.Shell.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A fault is reported in one sentence, and by the exit code. */
@Execution(ExecutionMode.CONCURRENT) // it waits for time limits
class ComplaintsTest {
  @TempDir Path folder;
  private final Shell shell = new Shell();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          lease acquire lock/a --ttl 10                    | : --ttl is a duration, written 500ms
          exec lock/a --stall soon -- true                 | : --stall is a duration, written 500ms
          exec lock/a --grace 40s -- true                  | 40 s is longer than the ttl, 30 s
          exec lock/a --ttl 1500ms --grace 2s -- true      | longer than the ttl, 1500 ms
          object put config web --file no/such.json        | : there is no file no/such.json
          lease list --config=                             | : --config names no file
          lease acquire lock/a --ttl -1s                   | written 500ms, 30s, 5m or 1h
          lease acquire lock/a --ttl 1d                    | written 500ms, 30s, 5m or 1h
          lease acquire lock/a --ttl 10ms                  | too short
          lease acquire lock/a --ttl 25h                   | too long
          lease acquire lock/a --ttl 999999999h            | too long
          lease acquire lock/a --wait 6m --request-id r    | at most 5m
          lease acquire a                                  | kind/name
          lease acquire                                    | KEY
          lease acquire lock/a lock/b                      | lock/b
          lease acquire lock/a --instance 12               | an instance
          lease renew lock/a --token 007 --instance 00000000000000000000000000000000 | a token is
          lease renew lock/a                               | --token
          lease renew lock/a --token 7                     | --instance
          lease revoke lock/a                              | --why
          lease acquire lock/a --attribute x               | NAME=VALUE
          lease aquire lock/a                              | did you mean acquire
          lease                                            | a command is missing
          leese                                            | did you mean lease
          --store memory: lease list                       | options come after the command
          lease --json list                                | options come after the command
          lease list --schema perhaps                      | auto or check
          lease list --store mysql:x                       | jdbc:postgresql:
          incarnation advance --above 9000                 | incarnation
          incarnation show --store memory:                 | a store in a database has them
          migrate --store memory:                          | in memory
          fence list --store memory:                       | a store in a database has them
          demo --store memory:                             | in memory
          demo --json                                      | --json
          fence install --table t                          | --key-column=C
          fence install --table t --key k/n --key-column c | mutually exclusive
          fence install --table t --key n                  | kind/name
          fence install --key k/n                          | --table
          fence remove                                     | --table
          fence reset --target t --key k/n                 | --why
          fence reset --target t --key k/n --why x         | no marks
          """)
  void wrongUsageIsSaid(String words, String expected) {
    shell.environment.put("LEASEHOLD_STORE", "memory:");
    Result result = shell.run(words.split(" +"));
    assertThat(result.code()).as(result.err()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).startsWith("leasehold: ").contains(expected).hasLineCount(1);
  }

  @Test
  void withoutAStoreOneIsAskedFor() {
    Result result = shell.run("lease", "list");
    assertThat(result.code()).isEqualTo(5);
    assertThat(result.err()).contains("sqlite:leasehold-data/leases.db", "leasehold serve");
  }

  /** Also with a server: the message names its file, because these commands are mostly for it. */
  @ParameterizedTest
  @ValueSource(
      strings = {"key list", "migrate", "incarnation show", "fence list", "fence remove --table t"})
  void whatNeedsTheDatabaseNamesTheFileThatIsServed(String words) {
    shell.environment.put("LEASEHOLD_SERVER", "http://127.0.0.1:1");
    Result usual = shell.run(words.split(" "));
    assertThat(usual.code()).isEqualTo(5);
    assertThat(usual.err()).contains("--store sqlite:leasehold-data/leases.db").hasLineCount(1);
    shell.environment.put("LEASEHOLD_DATA", "/srv/leases");
    assertThat(shell.run(words.split(" ")).err()).contains("--store sqlite:/srv/leases/leases.db");
  }

  @Test
  void aStoreThatCannotBeOpenedIsUnreachable() {
    Result result = shell.run("lease", "list", "--store", "sqlite:" + folder + "/no/leases.db");
    assertThat(result.code()).isEqualTo(5);
    assertThat(result.err()).contains("cannot be reached", "its folder").hasLineCount(1);
  }

  @Test
  void aFileOfAnotherKindIsToldFromADamagedOne() throws Exception {
    Path file = Files.writeString(folder.resolve("notes.txt"), "no database\n".repeat(100));
    Result result = shell.run("lease", "list", "--store", "sqlite:" + file);
    assertThat(result.code()).isEqualTo(5);
    assertThat(result.err()).contains("no SQLite file").hasLineCount(1);
  }

  @Test
  void aHostThatIsNotKnownIsNamed() {
    Result result = shell.run("lease", "list", "--store", "jdbc:postgresql://nowhere.invalid/db");
    assertThat(result.code()).isEqualTo(5);
    assertThat(result.err()).contains("nowhere.invalid").hasLineCount(1);
  }

  @Test
  void aTraceIsShownOnRequestOnly() {
    shell.environment.put("LEASEHOLD_DEBUG", "1");
    Result result = shell.run("lease", "list", "--store", "sqlite:" + folder + "/no/leases.db");
    assertThat(result.err()).contains("    at dev.leasehold.");
  }

  @Test
  void aSchemaThatMayNotBeMadeIsAskedFor() {
    String store = "sqlite:" + folder.resolve("leases.db");
    shell.environment.put("LEASEHOLD_SCHEMA", "check");
    Result missing = shell.run("lease", "list", "--store", store);
    assertThat(missing.code()).isEqualTo(6);
    assertThat(missing.err()).contains("leasehold migrate");

    Result migrated = shell.run("migrate", "--store", store, "--json");
    assertThat(migrated.code()).as(migrated.err()).isZero();
    assertThat(migrated.out()).contains("{\"name\":\"0001-leases\"}", "{\"name\":\"0003-ledger\"}");
    assertThat(shell.run("lease", "list", "--store", store).code()).isZero();
    assertThat(shell.run("migrate", "--store", store).out()).contains("up to date");
  }

  @Test
  void migrationsArePrintedWithoutADatabase() {
    Path file = folder.resolve("none.db");
    Result result = shell.run("migrate", "--print", "--store", "sqlite:" + file);
    assertThat(result.out()).contains("CREATE TABLE IF NOT EXISTS leasehold_lease");
    assertThat(file).doesNotExist();
    assertThat(shell.run("migrate", "--print", "--store", "jdbc:postgresql://").out())
        .contains("fillfactor");
  }

  @Test
  void theVersionIsToldFromTheBuild() {
    assertThat(shell.run("--version").out()).matches("leasehold [0-9]+\\.[0-9]+\\.[0-9].*\\R");
  }

  @Test
  void anAdvanceWithoutAWitnessIsRefusedUnlessAnOperatorKnows() throws Exception {
    String store = "sqlite:" + folder.resolve("leases.db");
    Result refused = shell.run("incarnation", "advance", "--store", store);
    assertThat(refused.code()).isEqualTo(6);
    assertThat(refused.err()).contains("--above N", "--data DIR");

    Result advanced =
        shell.run(
            "incarnation",
            "advance",
            "--above",
            "4000",
            "--hold-off",
            "1h",
            "--store",
            store,
            "--json");
    assertThat(advanced.out())
        .isEqualToIgnoringNewLines(
            "{\"outcome\":\"advanced\",\"incarnation\":4001,\"holdOffMs\":3600000}");
    Result shown = shell.run("incarnation", "show", "--store", store, "--json");
    assertThat(shown.member("incarnation")).isEqualTo("4001");
    assertThat(shown.member("storeId")).hasSize(36);
    assertThat(shell.run("lease", "acquire", "lock/a", "--store", store).code()).isEqualTo(3);
    assertThat(Files.exists(folder.resolve("leases.db"))).isTrue();
  }
}
