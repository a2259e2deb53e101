package dev.leasehold.cli.object;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.Shell;
import dev.leasehold.cli.Shell.Result;
import dev.leasehold.server.LeaseholdServer;
import dev.leasehold.store.jdbc.JdbcStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The same through a server that requires no API keys, and through one that does. */
class ObjectCommandsThroughServerTest extends ObjectCommandsTest {
  @SuppressWarnings("NullAway.Init") // JUnit opens it before each test
  private JdbcStore store;

  @SuppressWarnings("NullAway.Init")
  private LeaseholdServer server;

  @BeforeEach
  @Override
  void nameTheStore() {
    store = JdbcStore.at(url()).migrate().open();
    server = LeaseholdServer.on(store).start();
    shell.environment.put("LEASEHOLD_SERVER", server.address().toString());
  }

  private String url() {
    return "sqlite:" + folder.resolve("leases.db");
  }

  @AfterEach
  void close() {
    server.close();
    store.close();
  }

  @Test
  void what_an_api_key_is_not_for_is_refused() {
    Result made =
        new Shell().run("key", "create", "me", "--prefix", "object/config/", "--store", url());
    assertThat(made.code()).as(made.err()).isZero();
    server.close();
    server = LeaseholdServer.on(store).requireKeys().start();
    shell.environment.put("LEASEHOLD_SERVER", server.address().toString());
    assertThat(shell.run("object", "list", "config").code()).as("no key").isEqualTo(6);
    shell.environment.put("LEASEHOLD_API_KEY", made.out().strip());
    assertThat(shell.run("object", "put", "config", "a").code()).isZero();
    Result other = shell.run("object", "put", "other", "a");
    assertThat(other.code()).isEqualTo(6);
    assertThat(other.err()).contains("403", "other prefixes");
    assertThat(shell.run("object", "get", "other", "a").code()).isEqualTo(6);
    assertThat(shell.run("object", "list", "other").code()).isEqualTo(6);
    assertThat(shell.run("object", "bind", "config", "--key", "object/config/k").code())
        .as("it may not operate")
        .isEqualTo(6);
  }

  @Test
  void without_a_server_it_says_so() {
    server.close();
    Result result = shell.run("object", "put", "config", "a");
    assertThat(result.code()).isEqualTo(5);
    assertThat(result.err()).contains("it cannot be reached");
  }
}
