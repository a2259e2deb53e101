package dev.leasehold.cli;

import dev.leasehold.kernel.spi.LeaseStore;
import java.nio.file.Path;
import java.util.Map;

/** Where leases are asked for: straight at a store, or at a server. */
sealed interface LeasePlace permits StorePlace, ServerPlace {
  LeaseStore open();

  /**
   * The variables by which another process finds it, wherever that one runs.
   *
   * @param folder what is relative starts here
   */
  Map<String, String> variables(Path folder);

  /** The same, for whoever looks at what is wrong; a server has looked before it was started. */
  LeasePlace openedEvenIfRolledBack();
}
