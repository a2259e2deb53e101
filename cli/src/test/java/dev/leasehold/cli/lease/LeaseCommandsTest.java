package dev.leasehold.cli.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.Shell;
import dev.leasehold.cli.Shell.Result;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.Explanation;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.JdbcStore;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One operation each, on a SQLite file, as scripts use them. */
class LeaseCommandsTest {
  private static final Instance ALICE = Instance.random();
  private static final Instance BOB = Instance.random();

  @TempDir Path folder;
  private final Shell shell = new Shell();

  @BeforeEach
  void nameTheStore() {
    shell.environment.put("LEASEHOLD_STORE", url());
  }

  private String url() {
    return "sqlite:" + folder.resolve("leases.db");
  }

  private Result acquire(Instance instance, String... more) {
    shell.environment.put("LEASEHOLD_INSTANCE", instance.secret());
    return shell.run(with(List.of("lease", "acquire", "lock/a", "--json"), more));
  }

  private Result own(String verb, String token, Instance instance, String... more) {
    shell.environment.put("LEASEHOLD_INSTANCE", instance.secret());
    return shell.run(with(List.of("lease", verb, "lock/a", "--token", token, "--json"), more));
  }

  private static String[] with(List<String> words, String... more) {
    return java.util.stream.Stream.concat(words.stream(), java.util.Arrays.stream(more))
        .toArray(String[]::new);
  }

  @Test
  void anAcquireIsGrantedAndPrintsWhatIsNeededToGoOn() {
    Result result =
        shell.run("lease", "acquire", "lock/a", "--ttl", "5m", "--holder", "h", "--json");
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.out())
        .matches(
            "\\{\"outcome\":\"granted\",\"key\":\"lock/a\",\"token\":\\d+,\"holder\":\"h\","
                + "\"instanceId\":\"[0-9a-f]{64}\",\"ttlMs\":300000,\"remainingMs\":300000,"
                + "\"instance\":\"[0-9a-f]{32}\"}\\R");
    assertThat(Instance.of(result.member("instance")).id().text())
        .isEqualTo(result.member("instanceId"));
  }

  @Test
  void theInstanceThatWasPrintedRenewsAndReleases() {
    Result granted = shell.run("lease", "acquire", "lock/a", "--json");
    Instance instance = Instance.of(granted.member("instance"));
    String token = granted.member("token");

    Result renewed = own("renew", token, instance, "--ttl", "10m");
    assertThat(renewed.code()).isZero();
    assertThat(renewed.out())
        .isEqualToIgnoringNewLines(
            "{\"key\":\"lock/a\",\"outcome\":\"renewed\",\"remainingMs\":600000}");

    Result released = own("release", token, instance);
    assertThat(released.code()).isZero();
    assertThat(released.member("outcome")).isEqualTo("released");
    assertThat(own("renew", token, instance).member("reason")).isEqualTo("RELEASED");
  }

  @Test
  void whatAnotherHoldsIsNotAcquired() {
    Result granted = acquire(ALICE, "--holder", "alice");
    Result held = acquire(BOB);
    assertThat(held.code()).isEqualTo(3);
    assertThat(held.member("outcome")).isEqualTo("held");
    assertThat(held.member("holder")).isEqualTo("alice");
    assertThat(held.member("token")).isEqualTo(granted.member("token"));
    assertThat(held.member("instanceId")).isEqualTo(ALICE.id().text());
    assertThat(held.out()).doesNotContain(ALICE.secret());

    Result forPeople = shell.run("lease", "acquire", "lock/a");
    assertThat(forPeople.out()).isEmpty();
    assertThat(forPeople.err()).contains("is held by alice").hasLineCount(1);
  }

  @Test
  void anAcquireRepeatedUnderItsRequestIdIsTheSameGrant() {
    Result first = acquire(ALICE, "--request-id", "r1");
    Result again = acquire(ALICE, "--request-id", "r1");
    assertThat(again.code()).isZero();
    assertThat(again.member("token")).isEqualTo(first.member("token"));

    assertThat(own("release", first.member("token"), ALICE).code()).isZero();
    Result late = acquire(ALICE, "--request-id", "r1");
    assertThat(late.code()).isEqualTo(4);
    assertThat(late.member("outcome")).isEqualTo("ended");
  }

  @Test
  void anothersGrantIsNotTouched() {
    String token = acquire(ALICE).member("token");
    for (String verb : List.of("renew", "release")) {
      Result result = own(verb, token, BOB);
      assertThat(result.code()).isEqualTo(4);
      assertThat(result.member("reason")).isEqualTo("NOT_HOLDER");
    }
    assertThat(shell.run("lease", "show", "lock/a", "--json").member("state")).isEqualTo("held");
  }

  @Test
  void aHolderThatReleasesTwiceReadsThatTheGrantWasReleased() {
    String token = acquire(ALICE).member("token");
    shell.environment.put("LEASEHOLD_INSTANCE", ALICE.secret());
    assertThat(shell.run("lease", "release", "lock/a", "--token", token).code()).isZero();
    Result again = shell.run("lease", "release", "lock/a", "--token", token);
    assertThat(again.err())
        .contains("you do not hold lock/a: the grant under this token was released");
  }

  @Test
  void aGrantIsHandedOver() {
    String token = acquire(ALICE).member("token");
    Result handed =
        own("handover", token, ALICE, "--to", "bob", "--to-instance-id", BOB.id().text());
    assertThat(handed.code()).as(handed.err()).isZero();
    assertThat(handed.member("outcome")).isEqualTo("handedOver");
    assertThat(own("renew", handed.member("token"), BOB).code()).isZero();
    Result lost = own("renew", token, ALICE);
    assertThat(lost.code()).isEqualTo(4);
    assertThat(lost.member("reason")).isEqualTo("SUPERSEDED");
    assertThat(lost.member("by")).isEqualTo("bob");
  }

  @Test
  void aRevokedKeyIsClosedForAWhile() {
    String token = acquire(ALICE, "--ttl", "1h").member("token");
    Result revoked =
        shell.run("lease", "revoke", "lock/a", "--why", "it \"hangs\"", "--by", "olga", "--json");
    assertThat(revoked.code()).isZero();
    assertThat(revoked.member("outcome")).isEqualTo("revoked");

    Result closed = acquire(BOB);
    assertThat(closed.code()).isEqualTo(3);
    assertThat(closed.member("outcome")).isEqualTo("closed");
    Result lost = own("renew", token, ALICE);
    assertThat(lost.out()).contains("\"why\":\"it \\\"hangs\\\"\"");
    assertThat(lost.member("by")).isEqualTo("olga");
    assertThat(shell.run("lease", "show", "lock/a", "--json").member("state")).isEqualTo("closed");
    assertThat(shell.run("lease", "show", "lock/a").out()).containsPattern("opens +in \\d+[mh]");
    Result reopened = shell.run("lease", "reopen", "lock/a");
    assertThat(reopened.out()).containsPattern("closed for another \\d+[mh], and opens by itself");

    assertThat(shell.run("lease", "revoke", "lock/a", "--why", "now", "--now").code()).isZero();
    assertThat(acquire(BOB).code()).isZero();
  }

  @Test
  void whatIsFreeNeedsNoRevoking() {
    Result result = shell.run("lease", "revoke", "lock/a", "--why", "to be sure", "--json");
    assertThat(result.code()).isZero();
    assertThat(result.member("outcome")).isEqualTo("free");
  }

  @Test
  void aRecordIsShownWithoutItsSecret() {
    shell.environment.put("HOSTNAME", "host-7");
    Result granted =
        acquire(ALICE, "--purpose", "test", "--region", "eu", "--attribute", "b=2=3", "--stall=1m");
    Result shown = shell.run("lease", "show", "lock/a", "--json");
    assertThat(shown.out())
        .matches(
            "\\{\"key\":\"lock/a\",\"state\":\"held\",\"holder\":\"host-7\","
                + "\"instanceId\":\"[0-9a-f]{64}\",\"purpose\":\"test\",\"region\":\"eu\","
                + "\"token\":\\d+,\"ttlMs\":30000,\"remainingMs\":\\d+,\"progress\":0,"
                + "\"attributes\":\\{\"b\":\"2=3\"},\"history\":\\[]}\\R");
    assertThat(shown.out()).doesNotContain(granted.member("instance"));
    assertThat(shell.run("lease", "show", "lock/b", "--json").out())
        .isEqualToIgnoringNewLines("{\"key\":\"lock/b\",\"state\":\"free\",\"history\":[]}");
    assertThat(shell.run("lease", "show", "lock/a").out()).contains("lock/a is held", "purpose");
  }

  @Test
  void whoHadItBeforeIsShownToo() {
    String first = acquire(ALICE, "--holder", "alice", "--purpose", "p").member("token");
    assertThat(own("release", first, ALICE).code()).isZero();
    String second = acquire(BOB, "--holder", "bob").member("token");
    assertThat(shell.run("lease", "revoke", "lock/a", "--why", "w", "--by", "o", "--now").code())
        .isZero();
    acquire(ALICE);

    assertThat(shell.run("lease", "show", "lock/a", "--json").out())
        .matches(
            (".*,'history':\\[\\{'token':%s,'holder':'bob','instanceId':'%s','purpose':'',"
                    + "'region':'','fromMs':\\d+,'toMs':\\d+,"
                    + "'ended':\\{'reason':'REVOKED','by':'o','why':'w'}},"
                    + "\\{'token':%s,'holder':'alice','instanceId':'%s','purpose':'p',"
                    + "'region':'','fromMs':\\d+,'toMs':\\d+,"
                    + "'ended':\\{'reason':'RELEASED'}}]}\\R")
                .formatted(second, BOB.id().text(), first, ALICE.id().text())
                .replace('\'', '"'));
    assertThat(shell.run("lease", "show", "lock/a").out())
        .containsPattern("before +\\S+ to bob at 20\\S+Z, which was revoked by o: w")
        .containsPattern("before +\\S+ to alice at 20\\S+Z, which was released");
  }

  @Test
  void everyLeaseIsListedInOrder() {
    shell.environment.put("HOSTNAME", "host-7");
    for (String key : List.of("lock/b", "leader/x", "lock/a")) {
      assertThat(shell.run("lease", "acquire", key).code()).isZero();
    }
    assertThat(shell.run("lease", "list", "--json").out().lines())
        .extracting(line -> line.replaceAll("\\{\"key\":\"([^\"]*)\".*", "$1"))
        .containsExactly("leader/x", "lock/a", "lock/b");
    assertThat(shell.run("lease", "list", "--prefix", "leader/").out().lines())
        .as("for programs, without a heading")
        .hasSize(1)
        .allMatch(line -> line.matches("leader/x\theld\t\\d+\t\\d+s\thost-7"));
    shell.terminal = true;
    assertThat(shell.run("lease", "list", "--prefix", "leader/").out().lines())
        .hasSize(2)
        .last()
        .asString()
        .startsWith("leader/x");
  }

  /** Closes the key as an application can. */
  private void closeUntilAnOperatorActs() {
    try (JdbcStore store = JdbcStore.at(url()).migrate().open()) {
      Command revoke =
          new Command.Revoke(
              new LeaseKey("lock/a"),
              new Operator("olga"),
              new Explanation("under repair"),
              Command.Reopening.BY_OPERATOR,
              RequestId.random());
      assertThat(store.leases().apply(List.of(revoke)).toCompletableFuture().join().getFirst())
          .isInstanceOf(Outcome.Revoked.class);
    }
  }

  @Test
  void whatWasClosedUntilAnOperatorActsIsReopened() {
    acquire(ALICE, "--ttl", "5m");
    closeUntilAnOperatorActs();
    Result closed = acquire(BOB);
    assertThat(closed.code()).isEqualTo(6);
    assertThat(shell.run("lease", "acquire", "lock/a").err()).contains("leasehold lease reopen");

    Result reopened = shell.run("lease", "reopen", "lock/a", "--by", "olga", "--json");
    assertThat(reopened.code()).as(reopened.err()).isZero();
    assertThat(reopened.out())
        .isEqualToIgnoringNewLines("{\"key\":\"lock/a\",\"outcome\":\"reopened\"}");
    // The former holder may trust its grant until then.
    assertThat(acquire(BOB).code()).isEqualTo(3);
    assertThat(shell.run("lease", "reopen", "lock/b", "--json").member("outcome"))
        .isEqualTo("notClosed");
  }
}
