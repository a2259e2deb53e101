package dev.leasehold.store.jdbc.leases;

import dev.leasehold.kernel.spi.Command;
import dev.leasehold.store.jdbc.batches.Engine;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** An engine that also carries out commands on leases. */
public interface LeaseEngine extends Engine {
  /** Carries out a batch and settles each command, in order. */
  CompletionStage<List<Settled>> apply(List<Command> batch);
}
