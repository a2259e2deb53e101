package dev.leasehold.store.jdbc;

import dev.leasehold.blocks.objects.spi.ObjectStore;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.testkit.objects.ObjectsUnderTest;

/** The objects of a database that is opened twice. */
final class JdbcObjects {
  private JdbcObjects() {}

  static ObjectsUnderTest of(TwoHandles handles) {
    return new ObjectsUnderTest(handles, objects(handles.store()), objects(handles.another()));
  }

  private static ObjectStore objects(LeaseStore store) {
    return ((JdbcLeaseStore) store).objects();
  }
}
