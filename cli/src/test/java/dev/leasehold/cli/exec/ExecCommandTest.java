package dev.leasehold.cli.exec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.SharedStore;
import dev.leasehold.cli.Shell;
import dev.leasehold.cli.Shell.Result;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Store;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The messages of {@code exec} when it runs nothing. */
class ExecCommandTest {
  private final SharedStore store = new SharedStore();
  private final Shell shell = new Shell();

  @BeforeEach
  void share() {
    shell.stores = place -> Store.of(store);
  }

  @Test
  void aKeyThatIsHeldIsSaidAsAnAcquireSaysIt() {
    assertThat(shell.run("lease", "acquire", "lock/a", "--holder", "alice").code()).isZero();
    Result forPeople = shell.run("exec", "lock/a", "--", "true");
    assertThat(forPeople.code()).isEqualTo(3);
    assertThat(forPeople.err()).contains("held by alice", "add --wait").hasLineCount(1);
    Result json = shell.run("exec", "lock/a", "--json", "--", "true");
    assertThat(json.code()).isEqualTo(3);
    assertThat(json.out())
        .isEqualTo(shell.run("lease", "acquire", "lock/a", "--json").out())
        .startsWith("{\"key\":\"lock/a\",\"outcome\":\"held\",\"holder\":\"alice\"");
  }

  @Test
  void aKeyThatIsClosedIsSaidSoToo() {
    assertThat(shell.run("lease", "acquire", "lock/a").code()).isZero();
    assertThat(shell.run("lease", "revoke", "lock/a", "--why", "it hangs").code()).isZero();
    Result json = shell.run("exec", "lock/a", "--json", "--", "true");
    assertThat(json.code()).isEqualTo(3);
    assertThat(json.member("outcome")).isEqualTo("closed");
  }

  @Test
  void whatTheStoreRefusesIsNoWrongUsage() {
    store.beforeAnswering =
        (command, outcome) ->
            command instanceof Command.Acquire ? new Outcome.Rejected("not allowed") : outcome;
    Result result = shell.run("exec", "lock/a", "--", "true");
    assertThat(result.code()).isEqualTo(6);
    assertThat(result.err()).contains("not allowed");
  }
}
