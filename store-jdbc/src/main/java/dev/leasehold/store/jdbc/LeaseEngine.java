package dev.leasehold.store.jdbc;

import dev.leasehold.kernel.spi.Command;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** An engine that also carries out commands on leases. */
interface LeaseEngine extends Engine {
  /** Carries out a batch and settles each command, in order. */
  CompletionStage<List<Settled>> apply(List<Command> batch);
}
