package dev.leasehold.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.blocks.objects.model.Expectation;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.model.Payload;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Explanation;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.model.Version;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Connections that break or fall silent in the middle of a command. */
@Execution(ExecutionMode.CONCURRENT) // it waits for time limits
@Timeout(60)
class BrokenConnectionTest {
  private static final LeaseKey KEY = new LeaseKey("lock/report");
  private static final Instance BOB = Instance.of("b".repeat(32));
  private static final Terms BOBS = Terms.of("bob", TestCommands.TTL);

  private Schema schema;
  private FailingProxy proxy;
  private JdbcStore store;

  @BeforeEach
  void open() {
    schema = new Schema();
    proxy = new FailingProxy();
    store = JdbcStore.at(proxy.through(schema.url(""))).migrate().open();
  }

  @AfterEach
  void close() {
    store.close();
    proxy.close();
    schema.close();
  }

  private static Command renewal(Token token) {
    return Command.Renew.of(KEY, token, TestCommands.ANN);
  }

  @Test
  void renewals_go_on_over_another_connection_when_theirs_falls_silent() {
    Token token = TestCommands.acquire(store.leases(), KEY);
    CompletableFuture<Void> silent = proxy.failAt(KEY.text(), FailingProxy.Failure.SILENT);
    // On a slow machine the caller may get a timeout instead of an answer.
    CompletionStage<List<Outcome>> first = store.leases().apply(List.of(renewal(token)));
    TestCommands.get(first.handle((outcomes, failure) -> true));
    assertThat(silent).isDone();
    assertThat(TestCommands.outcome(store.leases(), renewal(token)))
        .isInstanceOf(Outcome.Renewed.class);
  }

  @Test
  void a_store_whose_server_has_fallen_silent_can_be_closed() {
    Token token = TestCommands.acquire(store.leases(), KEY);
    proxy.fallSilent();
    CompletionStage<List<Outcome>> unused = store.leases().apply(List.of(renewal(token)));
    CompletionStage<List<Outcome>> unusedToo =
        store.leases().apply(List.of(TestCommands.acquiring(new LeaseKey("lock/other"))));
    store.close();
  }

  private Outcome bobAsks(String request) {
    return TestCommands.outcome(
        store.leases(), Command.Acquire.of(KEY, BOB, new RequestId(request), BOBS));
  }

  /** The command on the broken connection may still arrive, when the key is free. */
  @Test
  void an_acquire_that_was_cut_off_is_unknown_while_another_holds_the_key() {
    TestCommands.acquire(store.leases(), KEY);
    CompletableFuture<Void> cut = proxy.failAt("bobs-request", FailingProxy.Failure.CUT);
    Outcome outcome = bobAsks("bobs-request");
    assertThat(cut).isDone();
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> assertThat(failed.certainty()).isEqualTo(Certainty.UNKNOWN));
    assertThat(bobAsks("bobs-next")).isInstanceOf(Outcome.Held.class);
  }

  private static void isUnknown(Certainty certainty) {
    assertThat(certainty).isEqualTo(Certainty.UNKNOWN);
  }

  /** The command on the broken connection may still arrive, when the key is held. */
  @Test
  void a_revocation_that_was_cut_off_and_found_nothing_is_unknown() {
    CompletableFuture<Void> cut = proxy.failAt(KEY.text(), FailingProxy.Failure.CUT);
    Command revoke =
        new Command.Revoke(
            KEY,
            new Operator("olga"),
            new Explanation("a drill"),
            Command.Reopening.NOW,
            new RequestId("revocation"));
    assertThat(TestCommands.outcome(store.leases(), revoke))
        .isInstanceOfSatisfying(Outcome.Failed.class, failed -> isUnknown(failed.certainty()));
    assertThat(cut).isDone();
  }

  /** The absence of an object does not prove that the expected version will never exist. */
  @Test
  void a_write_that_was_cut_off_and_found_no_object_is_unknown() {
    CompletableFuture<Void> cut = proxy.failAt("absent-object", FailingProxy.Failure.CUT);
    ObjectCommand put =
        new ObjectCommand.Put(
            ObjectName.of("sandbox", "absent-object"),
            Payload.EMPTY,
            Expectation.at(Version.of(1, 7)),
            Optional.empty(),
            new RequestId("write"));
    assertThat(TestCommands.get(store.objects().apply(List.of(put))).getFirst())
        .isInstanceOfSatisfying(
            ObjectOutcome.Failed.class, failed -> isUnknown(failed.certainty()));
    assertThat(cut).isDone();
  }

  @Test
  void an_acquire_that_was_cut_off_and_is_granted_the_second_time_is_granted() {
    CompletableFuture<Void> cut = proxy.failAt("bobs-request", FailingProxy.Failure.CUT);
    assertThat(bobAsks("bobs-request")).isInstanceOf(Outcome.Granted.class);
    assertThat(cut).isDone();
  }

  /** Without this, a pool has tried some 16 times by then, and tries again every 5 seconds. */
  @Test
  void a_server_that_was_away_is_looked_for_all_the_time_and_used_as_soon_as_it_is_back() {
    Token token = TestCommands.acquire(store.leases(), KEY);
    proxy.goAway();
    List<String> answers = new ArrayList<>();
    while (proxy.turnedAway() < 40 && answers.size() < 10) {
      CompletionStage<List<Outcome>> asked =
          store.leases().apply(List.of(TestCommands.acquiring(KEY)));
      answers.add(
          TestCommands.get(
              asked.handle((outcomes, failure) -> String.valueOf(outcomes) + failure)));
    }
    assertThat(proxy.turnedAway()).isGreaterThanOrEqualTo(40);
    // The answer has the driver's failure, and not the pool's timeout.
    assertThat(answers)
        .anySatisfy(
            answer ->
                assertThat(answer)
                    .contains("no connection to the store: ")
                    .doesNotContain("request timed out"));
    proxy.comeBack();
    TestCommands.release(store.leases(), KEY, token);
  }
}
