package dev.leasehold.cli;

import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.store.jdbc.JdbcLeaseStore;

/**
 * A command that changes nothing. It also looks at a store that has gone back to an earlier state,
 * since that is when somebody needs to, and says so beside what it prints.
 */
abstract class LookingCommand extends StoreCommand {
  LookingCommand(Surroundings surroundings) {
    super(surroundings);
  }

  @Override
  final LeasePlace place() {
    return super.place().openedEvenIfRolledBack();
  }

  @Override
  final Exit run(LeaseStore store) {
    if (store instanceof JdbcLeaseStore kept) {
      kept.refusal().ifPresent(why -> surroundings.err().println("leasehold: warning: " + why));
    }
    return look(store);
  }

  abstract Exit look(LeaseStore store);
}
