package dev.leasehold.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
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
  private final LeaseStore store = new MemoryLeaseStore(InstantSource.system(), Limits.SINGLE_NODE);
  private final List<List<Command>> sent = new ArrayList<>();
  private final List<CompletableFuture<List<Outcome>>> held = new ArrayList<>();
  private final SharedCommands shared = SharedCommands.to(this::hold);
  private final Instance me = Instance.random();

  /** Keeps every batch until it is let go. */
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
    var first = shared.apply(List.of(acquire("a")));
    var second = shared.apply(List.of(acquire("b")));
    var third = shared.apply(List.of(acquire("c"), acquire("d")));
    var fourth = shared.apply(List.of(acquire("e")));
    assertThat(sent).hasSize(2);
    letGo(0);
    letGo(1);
    assertThat(sent).hasSize(3);
    assertThat(sent.get(2)).hasSize(3);
    letGo(2);
    for (var answer : List.of(first, second, third, fourth)) {
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

  private Command.Acquire acquire(String name) {
    return Command.Acquire.of(
        key(name), me, RequestId.random(), Terms.of("me", Duration.ofSeconds(30)));
  }

  private static LeaseKey key(String name) {
    return LeaseKey.of("lock", name);
  }
}
