package dev.leasehold.cli.place;

import dev.leasehold.kernel.spi.Store;
import java.nio.file.Path;
import java.util.Map;

/** Where leases are: in a store that is opened directly, or behind a server. */
public sealed interface LeasePlace permits StorePlace, ServerPlace {
  Store open();

  /**
   * The variables by which another process finds this place from any working directory.
   *
   * @param folder the base of relative paths
   */
  Map<String, String> variables(Path folder);

  /**
   * The same place, opened even if the store was rolled back. A server has checked this before it
   * started.
   */
  LeasePlace openedEvenIfRolledBack();
}
