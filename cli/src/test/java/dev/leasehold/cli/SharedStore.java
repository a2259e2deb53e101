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
 * A store in memory that outlives the commands on it. Its clock stands still, and it records the
 * commands that it gets. The test decides what happens between an outcome and its answer.
 */
public final class SharedStore extends ForwardingStore {
  public final List<Command> sent = new ArrayList<>();
  public BiFunction<Command, Outcome, Outcome> beforeAnswering = (command, outcome) -> outcome;

  public SharedStore() {
    super(
        new MemoryLeaseStore(
            InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z")), Limits.SINGLE_NODE));
  }

  /** Sends a command as another process would, without the test's hook. */
  public Outcome apply(Command command) {
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

  /** Stays open for the next command. */
  @Override
  public void close() {}
}
