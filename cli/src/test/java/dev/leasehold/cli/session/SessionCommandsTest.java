package dev.leasehold.cli.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.sessions.Session;
import dev.leasehold.cli.Shell;
import dev.leasehold.cli.Shell.Result;
import dev.leasehold.kernel.Leases;
import dev.leasehold.store.jdbc.JdbcStore;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code leasehold session} on a SQLite file that another program uses. */
@SuppressWarnings("NullAway.Init") // set before each test
class SessionCommandsTest {
  @TempDir Path folder;
  private final Shell shell = new Shell();
  private JdbcStore store;
  private Leases leases;

  @BeforeEach
  void open() {
    String url = "sqlite:" + folder.resolve("leases.db");
    shell.environment.put("LEASEHOLD_STORE", url);
    store = JdbcStore.at(url).migrate().open();
    leases = Leases.on(store).holder("one").open();
  }

  @AfterEach
  void close() {
    leases.close();
    store.close();
  }

  @Test
  void a_session_is_listed_and_shown_until_it_ends() throws Exception {
    Session session = Session.on(leases).role("worker").version("1.4.2").open();
    Result listed = shell.run("session", "list", "--json");
    assertThat(listed.code()).as(listed.err()).isZero();
    assertThat(listed.member("key")).isEqualTo(session.key().text());
    assertThat(listed.out()).contains("\"roles\":[\"worker\"]", "\"version\":\"1.4.2\"");
    Result shown = shell.run("session", "show", session.key().name());
    assertThat(shown.code()).isZero();
    assertThat(shown.out())
        .contains(session.key() + " lasts for another ", "holder      one", "roles       worker");
    session.close();
    assertThat(shell.run("session", "list").out()).isEmpty();
    assertThat(shell.run("session", "show", session.key().text()).out())
        .startsWith(session.key() + " has ended: it was released");
  }

  @Test
  void a_session_that_never_was_is_not_on_record() {
    Result shown = shell.run("session", "show", "nobody");
    assertThat(shown.code()).isZero();
    assertThat(shown.out()).contains("there is no session session/nobody on record");
  }
}
