package dev.leasehold.cli;

import dev.leasehold.kernel.spi.LeaseStore;

/** Where leases are asked for: straight at a store, or at a server. */
sealed interface LeasePlace permits StorePlace, ServerPlace {
  LeaseStore open();

  /** The same, for whoever looks at what is wrong; a server has looked before it was started. */
  LeasePlace openedEvenIfRolledBack();
}
