package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.Shell.Result;
import dev.leasehold.fence.Token;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The SQLite file is deleted and replaced by a new one, while the folder of --data is kept. */
class ReplacedStoreTest {
  @TempDir Path folder;
  private final Shell shell = new Shell();
  private Token live;

  @BeforeEach
  void grantAndDelete() throws IOException {
    shell.environment.put("LEASEHOLD_STORE", "sqlite:" + folder.resolve("leases.db"));
    shell.environment.put("LEASEHOLD_DATA", folder.resolve("data").toString());
    Result granted = shell.run("lease", "acquire", "lock/nightly", "--json");
    assertThat(granted.code()).as(granted.err()).isZero();
    live = Token.parse(granted.member("token"));
    for (String suffix : new String[] {"", "-wal", "-shm"}) {
      Files.deleteIfExists(folder.resolve("leases.db" + suffix));
    }
  }

  @Test
  void aNewFileStartsAboveTheOldOneAndWaits() {
    Result closed = shell.run("lease", "acquire", "lock/nightly");
    assertThat(closed.code()).as(closed.out()).isNotZero();
    Result shown = shell.run("incarnation", "show", "--json");
    assertThat(Integer.parseInt(shown.member("incarnation"))).isGreaterThan(live.incarnation());
    assertThat(Long.parseLong(shown.member("holdOffMs"))).isPositive();
  }

  @Test
  void whatWasMadeWithoutTheFolderIsRefusedShownByDoctorAndAdvanced() {
    String data = shell.environment.remove("LEASEHOLD_DATA");
    assertThat(shell.run("lease", "list").code()).isZero();
    shell.environment.put("LEASEHOLD_DATA", data);

    Result refused = shell.run("lease", "acquire", "lock/nightly");
    assertThat(refused.code()).isEqualTo(6);
    assertThat(refused.err()).contains("emptied or replaced", "leasehold incarnation advance");
    Result doctor = shell.run("doctor");
    assertThat(doctor.code()).isEqualTo(7);
    assertThat(doctor.out()).contains("problem  witness    the database was emptied or replaced");

    Result advanced = shell.run("incarnation", "advance", "--hold-off", "0s", "--json");
    assertThat(advanced.code()).as(advanced.err()).isZero();
    Result granted = shell.run("lease", "acquire", "lock/nightly", "--json");
    assertThat(granted.code()).as(granted.err()).isZero();
    assertThat(Token.parse(granted.member("token"))).isGreaterThan(live);
    assertThat(shell.run("doctor").out()).doesNotContain("emptied or replaced");
  }
}
