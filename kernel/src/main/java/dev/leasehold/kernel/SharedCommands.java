package dev.leasehold.kernel;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.batches.GatheringLimits;
import dev.leasehold.kernel.spi.AnswerTimes;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Scheduler;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.kernel.wires.SharedCalls;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * A way to a store for a process that forwards the commands of many callers, as a server does:
 * commands in flight share batches, as those of one {@link Leases} do, and renewals wait for no
 * other command.
 *
 * <p>Every command is answered within {@link AnswerTimes#COMMANDS}, by the store or as failed.
 */
public final class SharedCommands implements AutoCloseable {
  private final SharedCalls<LeaseKey, Command, Outcome> commands;
  private final SharedCalls<LeaseKey, Command, Outcome> renewals;

  private SharedCommands(
      Function<List<Command>, CompletionStage<List<Outcome>>> store, SharedCalls.Time time) {
    GatheringLimits limits = GatheringLimits.ofLeases(AnswerTimes.COMMANDS);
    this.commands = new SharedCalls<>(Command.KIND, limits, store, time);
    this.renewals = new SharedCalls<>(Command.KIND, limits, store, time);
  }

  /** Sends batches through this function: a store's {@code apply}, or a wrapper around it. */
  public static SharedCommands to(Function<List<Command>, CompletionStage<List<Outcome>>> store) {
    return new SharedCommands(store, SharedCalls.Time.system());
  }

  /** For tests that control the time. */
  public static SharedCommands to(
      Function<List<Command>, CompletionStage<List<Outcome>>> store,
      Ticker ticker,
      Scheduler scheduler) {
    return new SharedCommands(store, new SharedCalls.Time(ticker, scheduler));
  }

  /**
   * Behaves as a store does: each command stands alone, and those on one key take effect in the
   * order given. The stage never fails. A thread that may block completes it, so its dependents
   * should be quick.
   */
  public CompletionStage<List<Outcome>> apply(List<Command> batch) {
    return (batch.stream().allMatch(Command.Renew.class::isInstance) ? renewals : commands)
        .apply(batch);
  }

  /** Commands without an answer by now have failed. */
  @Override
  public void close() {
    commands.close();
    renewals.close();
  }
}
