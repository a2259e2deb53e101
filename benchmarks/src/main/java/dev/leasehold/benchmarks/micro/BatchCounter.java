package dev.leasehold.benchmarks.micro;

import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.testkit.model.ForwardingStore;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/** Counts what reaches a store: batches, and the commands in them. */
public final class BatchCounter extends ForwardingStore {
  private final AtomicLong batches = new AtomicLong();
  private final AtomicLong commands = new AtomicLong();

  public BatchCounter(LeaseStore store) {
    super(store);
  }

  /** Since it was last asked. */
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
