package dev.leasehold.cli.exec;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Signals to a group, also if no process can be started to send them. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ProcessGroupTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"/bin/sh", Groups.NO_SHELL})
  void everyProcessInTheGroupIsKilled(String shell) throws Exception {
    Process leader = Groups.stubborn(folder);
    assertThat(leader.descendants()).isNotEmpty();
    ProcessGroup group = new ProcessGroup(leader.pid(), shell);
    assertThat(group.isAlive()).isTrue();
    group.signal("TERM");
    assertThat(group.isAlive()).as("they ignore it").isTrue();
    group.signal("KILL");
    assertThat(leader.waitFor()).isEqualTo(128 + 9);
    while (group.isAlive()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aGroupWithoutProcessesIsNotAlive() throws Exception {
    Process leader = Groups.stubborn(folder);
    ProcessGroup another = ProcessGroup.of(leader.descendants().findFirst().orElseThrow().pid());
    assertThat(another.isAlive()).as("no process leads it").isFalse();
    another.signal("KILL");
    assertThat(leader.isAlive()).isTrue();
    ProcessGroup.of(leader.pid()).signal("KILL");
    assertThat(leader.waitFor()).isEqualTo(128 + 9);
  }
}
