package dev.leasehold.store.jdbc.leases;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.SuspectedRollbacks;
import java.util.List;
import java.util.Optional;

/**
 * What came of one command, and what is left to do once that is committed.
 *
 * @param changes to be told to whoever watches
 * @param unheard whether no other process listened when that was committed
 * @param suspicion a token that was brought and that this store never issued
 * @param followUp a command that the store sends to itself
 */
public record Settled(
    Outcome outcome,
    List<LeaseChange> changes,
    boolean unheard,
    Optional<SuspectedRollbacks.Case> suspicion,
    Optional<Command> followUp) {

  static Settled of(Outcome outcome, LeaseChange... changes) {
    return new Settled(outcome, List.of(changes), false, Optional.empty(), Optional.empty());
  }

  Settled unheard(boolean newUnheard) {
    return new Settled(outcome, changes, newUnheard, suspicion, followUp);
  }

  static Settled failed(Outcome.Certainty certainty, String detail) {
    return of(new Outcome.Failed(certainty, detail));
  }

  static LeaseChange change(LeaseChange.Kind kind, Command command, Token token) {
    return new LeaseChange(kind, command.key(), token);
  }
}
