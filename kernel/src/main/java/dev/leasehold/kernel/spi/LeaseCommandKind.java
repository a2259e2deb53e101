package dev.leasehold.kernel.spi;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import java.util.Optional;

/** Commands on leases: their place is their key. */
final class LeaseCommandKind implements CommandKind<LeaseKey, Command, Outcome> {
  @Override
  public Optional<LeaseKey> place(Command command) {
    return Optional.of(command.key());
  }

  @Override
  public Outcome failed(Certainty certainty, String detail) {
    return new Outcome.Failed(certainty, detail);
  }

  @Override
  public Outcome rejected(String why) {
    return new Outcome.Rejected(why);
  }

  @Override
  public boolean isFinal(Command command, Outcome outcome) {
    return outcome.isFinal();
  }
}
