package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.Shell.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store that was restored from a backup, and a data folder that has seen later tokens. */
class RolledBackStoreTest {
  @TempDir Path folder;
  private final Shell shell = new Shell();

  @BeforeEach
  void nameTheStoreAndTheFolder() {
    shell.environment.put("LEASEHOLD_STORE", "sqlite:" + folder.resolve("leases.db"));
    shell.environment.put("LEASEHOLD_DATA", folder.resolve("data").toString());
  }

  private void grantAndRestore() throws IOException {
    Path file = folder.resolve("leases.db");
    assertThat(shell.run("lease", "acquire", "lock/before").code()).isZero();
    Path copy = Files.copy(file, folder.resolve("copy.db"));
    assertThat(shell.run("lease", "acquire", "lock/after").code()).isZero();
    Files.copy(copy, file, StandardCopyOption.REPLACE_EXISTING);
  }

  @Test
  void itIsRefusedShownAndAdvanced() throws IOException {
    grantAndRestore();
    Result refused = shell.run("lease", "acquire", "lock/after");
    assertThat(refused.code()).isEqualTo(6);
    assertThat(refused.err()).contains("lock/after", "leasehold incarnation advance");

    Result shown = shell.run("incarnation", "show", "--json");
    assertThat(shown.code()).as(shown.err()).isZero();
    assertThat(shown.member("refusal")).contains("lock/after");
    assertThat(shell.run("incarnation", "show").out()).contains("lock/after").hasLineCount(2);

    Result advanced = shell.run("incarnation", "advance", "--hold-off", "0s", "--json");
    assertThat(advanced.code()).as(advanced.err()).isZero();
    assertThat(shell.run("incarnation", "show", "--json").out()).doesNotContain("refusal");
    assertThat(shell.run("lease", "acquire", "lock/after").code()).isZero();
  }

  @Test
  void itCanStillBeLookedAtWithAWarning() throws IOException {
    grantAndRestore();
    for (String[] look : new String[][] {{"lease", "list"}, {"lease", "show", "lock/before"}}) {
      Result seen = shell.run(look);
      assertThat(seen.code()).as(seen.err()).isZero();
      assertThat(seen.out()).contains("lock/before").doesNotContain("gone back");
      assertThat(seen.err())
          .startsWith("leasehold: warning: the store has gone back")
          .contains("lock/after", "leasehold incarnation advance")
          .hasLineCount(1);
    }
    assertThat(shell.run("lease", "acquire", "lock/other").code()).isEqualTo(6);
    assertThat(shell.run("lease", "revoke", "lock/before", "--why", "x").code()).isEqualTo(6);
    assertThat(shell.run("lease", "reopen", "lock/before").code()).isEqualTo(6);

    shell.run("incarnation", "advance", "--hold-off", "0s");
    assertThat(shell.run("lease", "list").err()).isEmpty();
  }

  @Test
  void aFolderThatIsNamedComesFirst() throws IOException {
    grantAndRestore();
    String elsewhere = folder.resolve("elsewhere").toString();
    assertThat(shell.run("lease", "acquire", "lock/after", "--data", elsewhere).code()).isZero();
  }

  @Test
  void aFolderThatTheCallerDidNotNameIsNotMade() {
    shell.environment.remove("LEASEHOLD_DATA");
    assertThat(shell.run("lease", "acquire", "lock/a").code()).isZero();
    assertThat(Path.of("leasehold-data")).doesNotExist();
  }
}
