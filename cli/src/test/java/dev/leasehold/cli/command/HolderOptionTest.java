package dev.leasehold.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.Shell;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The default holder name of a lease. */
class HolderOptionTest {
  @TempDir private Path folder;

  @Test
  void aMachineIsKnownByItsName() throws Exception {
    Path file = Files.writeString(folder.resolve("hostname"), "node-7\n");
    assertThat(HolderOption.machine(file)).contains("node-7");
  }

  @Test
  void oneThatSaysNothingHasNone() throws Exception {
    assertThat(HolderOption.machine(folder.resolve("none"))).isEmpty();
    assertThat(HolderOption.machine(Files.writeString(folder.resolve("blank"), "\n"))).isEmpty();
  }

  @Test
  void theVariableComesBeforeIt() {
    Shell shell = new Shell();
    shell.environment.put("HOSTNAME", "by-variable");
    String[] acquire = {"lease", "acquire", "lock/a", "--store", "memory:", "--json"};
    assertThat(shell.run(acquire).member("holder")).isEqualTo("by-variable");
    shell.environment.clear();
    assertThat(shell.run(acquire).member("holder")).isNotEqualTo("by-variable").isNotEmpty();
  }
}
