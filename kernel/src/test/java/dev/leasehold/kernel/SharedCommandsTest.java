package dev.leasehold.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Commands of many callers share batches; each caller gets its own answers, in order. */
class SharedCommandsTest {
  private static final int MOST_ON_THEIR_WAY = 4;

  private final LeaseStore store = new MemoryLeaseStore(InstantSource.system(), Limits.SINGLE_NODE);
  private final List<List<Command>> sent = new ArrayList<>();
  private final List<CompletableFuture<List<Outcome>>> held = new ArrayList<>();
  private final SharedCommands shared = SharedCommands.to(this::hold);
  private final Instance me = Instance.random();

  /** Keeps every batch until the test releases it. */
  private CompletionStage<List<Outcome>> hold(List<Command> batch) {
    CompletableFuture<List<Outcome>> answer = new CompletableFuture<>();
    sent.add(batch);
    held.add(answer);
    return answer;
  }

  private void letGo(int batch) {
    held.get(batch).complete(store.apply(sent.get(batch)).toCompletableFuture().join());
  }

  @AfterEach
  void close() {
    shared.close();
    store.close();
  }

  @Test
  void whatComesWhileBatchesAreOnTheirWaySharesTheNext() {
    List<CompletionStage<List<Outcome>>> alone = new ArrayList<>();
    for (int i = 0; i < MOST_ON_THEIR_WAY; i++) {
      alone.add(shared.apply(List.of(acquire("alone-" + i))));
    }
    var two = shared.apply(List.of(acquire("c"), acquire("d")));
    var one = shared.apply(List.of(acquire("e")));
    assertThat(sent).hasSize(MOST_ON_THEIR_WAY);
    letGo(0);
    assertThat(sent).hasSize(MOST_ON_THEIR_WAY + 1);
    assertThat(sent.getLast()).hasSize(3);
    for (int i = 1; i <= MOST_ON_THEIR_WAY; i++) {
      letGo(i);
    }
    alone.addAll(List.of(two, one));
    for (var answer : alone) {
      assertThat(answer.toCompletableFuture().join())
          .allSatisfy(outcome -> assertThat(outcome).isInstanceOf(Outcome.Granted.class));
    }
  }

  @Test
  void renewalsDoNotWaitForOtherCommands() {
    shared.apply(List.of(acquire("a")));
    shared.apply(List.of(acquire("b")));
    var renewal = shared.apply(List.of(Command.Renew.of(key("c"), Token.of(1, 1), me)));
    assertThat(sent).hasSize(3);
    letGo(2);
    assertThat(renewal.toCompletableFuture().join())
        .allSatisfy(outcome -> assertThat(outcome).isInstanceOf(Outcome.Lost.class));
  }

  @Test
  void commandsOfOneKeyKeepTheirOrder() {
    Command.Acquire acquire = acquire("a");
    var answer =
        shared.apply(List.of(acquire, new Command.Abandon(key("a"), me, acquire.requestId())));
    letGo(0);
    assertThat(answer.toCompletableFuture().join())
        .satisfiesExactly(
            outcome -> assertThat(outcome).isInstanceOf(Outcome.Granted.class),
            outcome -> assertThat(outcome).isEqualTo(new Outcome.Abandoned()));
  }

  @Test
  void noCallerWaitsForAWayThatIsClosed() {
    var hung = shared.apply(List.of(acquire("a")));
    shared.close();
    assertThat(hung.toCompletableFuture())
        .as("told, and not left waiting for ever")
        .succeedsWithin(Duration.ofSeconds(30))
        .isEqualTo(List.of(new Outcome.Failed(Certainty.UNKNOWN, "no answer came in time")));
    assertThat(shared.apply(List.of(acquire("b"))).toCompletableFuture().join())
        .containsExactly(
            new Outcome.Failed(Certainty.NOT_APPLIED, "this way to the store is closed"));
    assertThat(sent).hasSize(1);
  }

  private Command.Acquire acquire(String name) {
    return Command.Acquire.of(
        key(name), me, RequestId.random(), Terms.of("me", Duration.ofSeconds(30)));
  }

  private static LeaseKey key(String name) {
    return LeaseKey.of("lock", name);
  }
}
