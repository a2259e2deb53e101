package dev.leasehold.server.http;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LeaseEvent;
import dev.leasehold.kernel.model.LeaseEvent.NotAcquired.Cause;
import dev.leasehold.kernel.model.LeaseObserver;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What observers are told of the commands of clients, once their outcomes are known. */
final class CommandEvents {
  /** The most keys whose failed renewals are remembered. */
  static final int KEPT = 10_000;

  /** Guarded by the monitor of this object, under which no observer is told. */
  private final Map<LeaseKey, FailedRenewals> failedRenewals = new LinkedHashMap<>();

  private record FailedRenewals(Token token, int number) {}

  /** Tells what became of each command, and returns the outcomes. */
  List<Outcome> tell(List<Command> batch, List<Outcome> outcomes, LeaseObserver observer) {
    for (int i = 0; i < Math.min(batch.size(), outcomes.size()); i++) {
      of(batch.get(i), outcomes.get(i)).ifPresent(observer::observed);
    }
    return outcomes;
  }

  Optional<LeaseEvent> of(Command command, Outcome outcome) {
    return switch (command) {
      case Command.Acquire acquire -> ofAcquire(acquire.key(), outcome);
      case Command.Renew renew -> ofRenewal(renew, outcome);
      case Command.Release release -> ofEnd(release.key(), release.token(), outcome);
      case Command.HandOver handOver -> ofEnd(handOver.key(), handOver.token(), outcome);
      default -> Optional.empty();
    };
  }

  private static Optional<LeaseEvent> ofAcquire(LeaseKey key, Outcome outcome) {
    return switch (outcome) {
      case Outcome.Granted granted ->
          Optional.of(new LeaseEvent.Acquired(key, granted.grant().token()));
      case Outcome.Held held -> notAcquired(key, Cause.HELD, "held by " + held.by());
      case Outcome.Closed closed -> notAcquired(key, Cause.CLOSED, closed.reason());
      case Outcome.Changed changed ->
          notAcquired(key, Cause.CHANGED, "the latest grant is not the expected one");
      case Outcome.Ended ended -> notAcquired(key, Cause.GONE, ended.reason().toString());
      case Outcome.Abandoned abandoned ->
          notAcquired(key, Cause.CANCELLED, "the request was abandoned");
      case Outcome.Failed failed -> notAcquired(key, Cause.FAILED, failed.detail());
      default -> Optional.empty();
    };
  }

  private static Optional<LeaseEvent> notAcquired(LeaseKey key, Cause cause, String why) {
    return Optional.of(new LeaseEvent.NotAcquired(key, cause, why));
  }

  private Optional<LeaseEvent> ofRenewal(Command.Renew renew, Outcome outcome) {
    if (outcome instanceof Outcome.Failed) {
      failed(renew);
      return Optional.empty();
    }
    Optional<Integer> failures = failuresBefore(renew);
    return outcome instanceof Outcome.Renewed
        ? failures.map(number -> new LeaseEvent.RenewedLate(renew.key(), renew.token(), number))
        : ofEnd(renew.key(), renew.token(), outcome);
  }

  private synchronized void failed(Command.Renew renew) {
    int number = failuresBefore(renew).orElse(0) + 1;
    failedRenewals.put(renew.key(), new FailedRenewals(renew.token(), number));
    if (failedRenewals.size() > KEPT) {
      failedRenewals.remove(failedRenewals.keySet().iterator().next());
    }
  }

  /** How many renewals of the grant have failed here since one was carried out; forgets them. */
  private synchronized Optional<Integer> failuresBefore(Command.Renew renew) {
    return Optional.ofNullable(failedRenewals.remove(renew.key()))
        .filter(failed -> failed.token().equals(renew.token()))
        .map(FailedRenewals::number);
  }

  private static Optional<LeaseEvent> ofEnd(LeaseKey key, Token token, Outcome outcome) {
    return switch (outcome) {
      case Outcome.Released released -> Optional.of(new LeaseEvent.Released(key, token));
      case Outcome.HandedOver heir -> Optional.of(new LeaseEvent.Released(key, token));
      case Outcome.Lost lost -> Optional.of(new LeaseEvent.Lost(key, token, lost.reason()));
      default -> Optional.empty();
    };
  }
}
