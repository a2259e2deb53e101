package dev.leasehold.server.ops;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LeaseEvent;
import dev.leasehold.kernel.model.LeaseObserver;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Tells an observer what happens to leases whose commands pass through this process. */
public final class ObservedCommands {
  private ObservedCommands() {}

  /** Observes the commands that pass from the gatherer to the store. */
  public static Function<List<Command>, CompletionStage<List<Outcome>>> around(
      Function<List<Command>, CompletionStage<List<Outcome>>> store, LeaseObserver observer) {
    return batch ->
        store
            .apply(batch)
            .thenApply(
                outcomes -> {
                  for (int i = 0; i < Math.min(batch.size(), outcomes.size()); i++) {
                    event(batch.get(i), outcomes.get(i)).ifPresent(observer::observed);
                  }
                  return outcomes;
                });
  }

  private static Optional<LeaseEvent> event(Command command, Outcome outcome) {
    return switch (outcome) {
      case Outcome.Granted granted ->
          Optional.of(new LeaseEvent.Acquired(command.key(), granted.grant().token()));
      case Outcome.Lost lost ->
          token(command).map(token -> new LeaseEvent.Lost(command.key(), token, lost.reason()));
      case Outcome.Released released -> released(command);
      case Outcome.HandedOver handedOver -> released(command);
      default -> Optional.empty();
    };
  }

  private static Optional<LeaseEvent> released(Command command) {
    return token(command).map(token -> new LeaseEvent.Released(command.key(), token));
  }

  private static Optional<Token> token(Command command) {
    return switch (command) {
      case Command.Renew renew -> Optional.of(renew.token());
      case Command.Release release -> Optional.of(release.token());
      case Command.HandOver handOver -> Optional.of(handOver.token());
      default -> Optional.empty();
    };
  }
}
