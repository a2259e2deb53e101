package dev.leasehold.store.jdbc;

import dev.leasehold.blocks.rows.spi.AnchorStore;
import dev.leasehold.testkit.rows.AnchorsUnderTest;

/** The anchors of a database that is opened twice. */
final class JdbcAnchors {
  private JdbcAnchors() {}

  static AnchorsUnderTest of(TwoHandles handles) {
    return new AnchorsUnderTest(handles, of(handles.jdbc()), of(handles.anotherJdbc()));
  }

  private static AnchorStore of(JdbcStore store) {
    return store.require(AnchorStore.class, "anchors");
  }
}
