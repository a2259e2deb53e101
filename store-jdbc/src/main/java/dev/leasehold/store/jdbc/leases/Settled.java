package dev.leasehold.store.jdbc.leases;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.SuspectedRollbacks;
import dev.leasehold.store.jdbc.changes.Committed;
import java.util.List;
import java.util.Optional;

/**
 * The result of one command, and what must be done once it is committed.
 *
 * @param changes to be told to watchers
 * @param isUnheard whether no other process listened at the commit
 * @param suspicion a token that the command brought and that this store never issued
 * @param followUp a command that the store sends to itself
 */
public record Settled(
    Outcome outcome,
    List<LeaseChange> changes,
    boolean isUnheard,
    Optional<SuspectedRollbacks.Case> suspicion,
    Optional<Command> followUp)
    implements Committed<LeaseChange> {

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
