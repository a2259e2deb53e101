package dev.leasehold.cli.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.cli.SharedStore;
import dev.leasehold.cli.Shell;
import dev.leasehold.cli.Shell.Result;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Store;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commands that wait: an event wakes them, and an interrupted one leaves nothing behind. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a wait is not interrupted
class WaitingTest {
  private static final LeaseKey KEY = new LeaseKey("lock/a");
  private static final Instance OTHER = Instance.random();

  private final SharedStore store = new SharedStore();
  private final Shell shell = new Shell();
  private Runnable interruption = () -> {};

  @BeforeEach
  void shareTheStore() {
    shell.stores = place -> Store.of(store);
    shell.environment.put("LEASEHOLD_STORE", "memory:");
    shell.interruptions =
        task -> {
          interruption = task;
          return () -> interruption = () -> {};
        };
  }

  private Token heldByAnother() {
    Terms terms = Terms.of("other", Duration.ofHours(1));
    Outcome outcome = store.apply(Command.Acquire.of(KEY, OTHER, RequestId.random(), terms));
    return ((Outcome.Granted) outcome).grant().token();
  }

  private void releaseOnceAskedFor(Token token) {
    store.beforeAnswering =
        (command, outcome) -> {
          if (outcome instanceof Outcome.Held) {
            store.apply(new Command.Release(KEY, token, OTHER, RequestId.random()));
          }
          return outcome;
        };
  }

  @Test
  void aReleaseWakesTheWaiter() {
    Token token = heldByAnother();
    releaseOnceAskedFor(token);
    Result result = shell.run("lease", "acquire", "lock/a", "--wait", "24h", "--json");
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(Long.parseLong(result.member("token"))).isGreaterThan(token.value());
    // The first request was answered, so the second one is new.
    assertThat(store.sent)
        .hasSize(2)
        .extracting(command -> ((Command.Acquire) command).requestId())
        .doesNotHaveDuplicates();
  }

  @Test
  void aChosenRequestIdIsKept() {
    Token token = heldByAnother();
    releaseOnceAskedFor(token);
    assertThat(shell.run("lease", "acquire", "lock/a", "--wait=5m", "--request-id=r").code())
        .isZero();
    assertThat(store.sent)
        .hasSize(2)
        .extracting(command -> ((Command.Acquire) command).requestId().text())
        .containsOnly("r");
  }

  @Test
  void aWaitThatIsOverEndsWithWhatTheStoreSaidLast() {
    heldByAnother();
    Result result = shell.run("lease", "acquire", "lock/a", "--wait", "1ms", "--json");
    assertThat(result.code()).isEqualTo(3);
    assertThat(result.member("outcome")).isEqualTo("held");
  }

  @Test
  void aStoreThatCannotBeAskedEndsTheWait() {
    heldByAnother();
    store.beforeAnswering =
        (command, outcome) -> {
          throw new IllegalArgumentException("the store is closed");
        };
    Result result = shell.run("lease", "acquire", "lock/a", "--wait", "24h", "--json");
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("the store is closed");
  }

  @Test
  void whatIsClosedByAnOperatorIsNotWaitedFor() {
    store.apply(
        new Command.Revoke(
            KEY,
            new dev.leasehold.kernel.model.Operator("olga"),
            new dev.leasehold.kernel.model.Explanation("repairs"),
            Command.Reopening.BY_OPERATOR,
            RequestId.random()));
    Result result = shell.run("lease", "acquire", "lock/a", "--wait", "24h", "--json");
    assertThat(result.code()).isEqualTo(6);
    assertThat(result.member("outcome")).isEqualTo("closed");
    assertThat(result.out()).doesNotContain("remainingMs");
  }

  @Test
  void anInterruptedWaitIsAbandonedAndNothingIsAskedAfterwards() {
    heldByAnother();
    store.beforeAnswering =
        (command, outcome) -> {
          interruption.run();
          return outcome;
        };
    Result result = shell.run("lease", "acquire", "lock/a", "--wait", "24h", "--json");
    assertThat(result.code()).isEqualTo(130);
    assertThat(result.out()).isEmpty();
    assertThat(store.sent).hasSize(2);
    assertThat(((Command.Abandon) store.sent.get(1)).requestId())
        .isEqualTo(((Command.Acquire) store.sent.get(0)).requestId());
  }

  @Test
  void anInterruptedWaitDoesNotAskWhenTheKeyIsReleased() {
    Token token = heldByAnother();
    store.beforeAnswering =
        (command, outcome) -> {
          if (outcome instanceof Outcome.Held) {
            interruption.run();
            store.apply(new Command.Release(KEY, token, OTHER, RequestId.random()));
          }
          return outcome;
        };
    assertThat(shell.run("lease", "acquire", "lock/a", "--wait", "24h").code()).isEqualTo(130);
    assertThat(store.sent).hasExactlyElementsOfTypes(Command.Acquire.class, Command.Abandon.class);
  }

  @Test
  void whatIsGrantedWhileInterruptedIsGivenBackAndNotPrinted() {
    store.beforeAnswering =
        (command, outcome) -> {
          interruption.run();
          return outcome;
        };
    Result result = shell.run("lease", "acquire", "lock/a", "--json");
    assertThat(result.code()).isEqualTo(130);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains("abandoned");
    assertThat(shell.run("lease", "show", "lock/a", "--json").member("state")).isEqualTo("free");
  }

  @Test
  void whatMayHaveBeenGrantedUnheardIsGivenBack() {
    store.beforeAnswering =
        (command, outcome) ->
            command instanceof Command.Acquire
                ? new Outcome.Failed(Outcome.Certainty.UNKNOWN, "the line is cut")
                : outcome;
    Result result = shell.run("lease", "acquire", "lock/a");
    assertThat(result.code()).isEqualTo(5);
    assertThat(result.err()).contains("the outcome is unknown", "the line is cut");
    assertThat(shell.run("lease", "show", "lock/a", "--json").member("state")).isEqualTo("free");
  }

  @Test
  void aWatchTellsWhatHappensUntilItIsInterrupted() {
    CompletableFuture<Runnable> watching = new CompletableFuture<>();
    shell.interruptions =
        task -> {
          watching.complete(task);
          return () -> {};
        };
    CompletableFuture<Result> result =
        CompletableFuture.supplyAsync(
            () -> shell.run("lease", "watch", "--prefix", "lock/", "--json"));
    Runnable interrupt = watching.join();
    Token token = heldByAnother();
    store.apply(new Command.Release(KEY, token, OTHER, RequestId.random()));
    interrupt.run();
    assertThat(result.join().code()).isZero();
    assertThat(result.join().out().lines())
        .containsExactly(
            "{\"event\":\"reset\"}",
            "{\"event\":\"granted\",\"key\":\"lock/a\",\"token\":" + token + "}",
            "{\"event\":\"released\",\"key\":\"lock/a\",\"token\":" + token + "}");
  }
}
