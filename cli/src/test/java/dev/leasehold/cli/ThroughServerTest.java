package dev.leasehold.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.Shell.Result;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands work through a server as they do on a store. */
class ThroughServerTest {
  @TempDir private Path folder;
  private final Shell shell = new Shell();

  @SuppressWarnings("NullAway.Init") // JUnit opens it before each test
  private Store store;

  @SuppressWarnings("NullAway.Init")
  private LeaseholdServer server;

  @BeforeEach
  void open() {
    store = JdbcStore.at(url()).migrate().open();
    server = LeaseholdServer.on(store).requireKeys().start();
    shell.environment.put("LEASEHOLD_SERVER", server.address().toString());
  }

  @AfterEach
  void close() {
    server.close();
    store.close();
  }

  private String url() {
    return "sqlite:" + folder.resolve("leases.db");
  }

  private String key(String... more) {
    Shell other = new Shell();
    String[] words = new String[5 + more.length];
    System.arraycopy(new String[] {"key", "create", "me", "--store", url()}, 0, words, 0, 5);
    System.arraycopy(more, 0, words, 5, more.length);
    Result made = other.run(words);
    assertThat(made.code()).as(made.err()).isZero();
    return made.out().strip();
  }

  @Test
  void withoutAKeyItIsRefused() {
    Result result = shell.run("lease", "list");
    assertThat(result.code()).isEqualTo(6);
    assertThat(result.err()).contains("401", "set LEASEHOLD_API_KEY").doesNotContain("Bearer");
  }

  @Test
  void aLeaseIsTakenShownAndGivenBack() {
    shell.environment.put("LEASEHOLD_API_KEY", key("--prefix", "lock/"));
    Result taken = shell.run("lease", "acquire", "lock/a", "--json");
    assertThat(taken.code()).as(taken.err()).isZero();
    assertThat(shell.run("lease", "acquire", "lock/a").code()).isEqualTo(3);
    assertThat(shell.run("lease", "show", "lock/a", "--json").out()).contains("\"held\"");
    String[] own = {"--token", taken.member("token"), "--instance", taken.member("instance")};
    assertThat(shell.run("lease", "renew", "lock/a", own[0], own[1], own[2], own[3]).code())
        .isZero();
    assertThat(shell.run("lease", "release", "lock/a", own[0], own[1], own[2], own[3]).code())
        .isZero();
    assertThat(shell.run("lease", "acquire", "leader/x").code()).as("other prefix").isEqualTo(6);
    assertThat(shell.run("lease", "revoke", "lock/a", "--why", "x").code()).isEqualTo(6);
  }

  @Test
  void aKeyThatMayNotHoldRunsNothing() {
    shell.environment.put("LEASEHOLD_API_KEY", key("--verbs", "read"));
    Result acquired = shell.run("lease", "acquire", "lock/a");
    Result executed = shell.run("exec", "lock/a", "--", "true");
    assertThat(acquired.code()).isEqualTo(6);
    assertThat(executed.code()).as(executed.err()).isEqualTo(6);
  }

  @Test
  void whatNeedsTheDatabaseSaysSo() {
    shell.environment.put("LEASEHOLD_API_KEY", key());
    for (String words :
        List.of(
            "fence list",
            "fence install --table orders --key leader/orders",
            "fence remove --table orders",
            "migrate",
            "key list",
            "incarnation show")) {
      Result result = shell.run((words + " --server " + server.address()).split(" ", -1));
      assertThat(result.code()).as(words).isEqualTo(2);
      assertThat(result.err()).contains("--store URL");
    }
  }

  @Test
  void aRevokedKeyIsListedNoMore() {
    String key = key();
    String id = key.split("_", -1)[1];
    Shell other = new Shell();
    assertThat(other.run("key", "list", "--store", url()).out()).contains(id, "hold,read");
    assertThat(other.run("key", "revoke", id, "--store", url()).code()).isZero();
    assertThat(other.run("key", "list", "--store", url()).out()).doesNotContain(id);
  }
}
