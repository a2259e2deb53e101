package dev.leasehold.cli;

import dev.leasehold.kernel.memory.MemoryLeaseStore;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.testkit.model.ForwardingStore;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;

/**
 * A store in memory that outlives the commands on it, whose clock stands still, and that notes what
 * it is sent. What happens between an outcome and its answer is the test's to say.
 */
final class SharedStore extends ForwardingStore {
  final List<Command> sent = new ArrayList<>();
  BiFunction<Command, Outcome, Outcome> beforeAnswering = (command, outcome) -> outcome;

  SharedStore() {
    super(
        new MemoryLeaseStore(
            InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z")), Limits.SINGLE_NODE));
  }

  /** As another process would, unseen by the test's hook. */
  Outcome apply(Command command) {
    return super.apply(List.of(command)).toCompletableFuture().join().getFirst();
  }

  @Override
  public CompletionStage<List<Outcome>> apply(List<Command> batch) {
    List<Outcome> answers = new ArrayList<>();
    for (Command command : batch) {
      sent.add(command);
      answers.add(beforeAnswering.apply(command, apply(command)));
    }
    return CompletableFuture.completedFuture(answers);
  }

  /** The next command goes on with it. */
  @Override
  public void close() {}
}
