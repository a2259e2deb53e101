package dev.leasehold.verification.linearizability;

import dev.leasehold.kernel.wires.SerialTurns;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jetbrains.lincheck.datastructures.Operation;

/** Events that count in a plain field, as the state machines do. */
public class TurnOperations {
  private final Executor turns;

  // Not volatile: the turns have to publish what an event changes to the next one.
  private int count;

  public TurnOperations() {
    this(new SerialTurns(Runnable::run));
  }

  TurnOperations(Executor turns) {
    this.turns = turns;
  }

  /** Counts in an event of its own, and waits for what it found. */
  @Operation
  public int count() {
    CompletableFuture<Integer> found = new CompletableFuture<>();
    turns.execute(() -> found.complete(count++));
    return found.join();
  }
}
