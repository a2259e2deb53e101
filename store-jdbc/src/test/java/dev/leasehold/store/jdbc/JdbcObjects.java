package dev.leasehold.store.jdbc;

import dev.leasehold.testkit.objects.ObjectsUnderTest;

/** The objects of a database that is opened twice. */
final class JdbcObjects {
  private JdbcObjects() {}

  static ObjectsUnderTest of(TwoHandles handles) {
    return new ObjectsUnderTest(handles, handles.jdbc().objects(), handles.anotherJdbc().objects());
  }
}
