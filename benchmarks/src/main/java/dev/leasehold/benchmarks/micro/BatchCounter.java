package dev.leasehold.benchmarks.micro;

import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.testkit.model.ForwardingStore;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the batches that reach a store, and their commands. */
public final class BatchCounter extends ForwardingStore {
  private final AtomicLong batches = new AtomicLong();
  private final AtomicLong commands = new AtomicLong();

  public BatchCounter(LeaseStore store) {
    super(store);
  }

  /** The mean number of commands in a batch since the last call. */
  public double commandsPerBatch() {
    return (double) commands.getAndSet(0) / Math.max(1, batches.getAndSet(0));
  }

  @Override
  public CompletionStage<List<Outcome>> apply(List<Command> batch) {
    batches.incrementAndGet();
    commands.addAndGet(batch.size());
    return super.apply(batch);
  }
}
