package dev.leasehold.store.jdbc.changes;

import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.sql.SQLException;
import java.util.List;

/** Where this process finds the changes of others, on one connection after the other. */
public interface ChangeSource {
  /** No change after this call is missed, as long as this connection lasts. */
  void start(StoreConnection connection) throws SQLException;

  /** The changes since the last call; may wait for a short while. */
  List<Item> next(StoreConnection connection) throws SQLException;

  /** Ends a wait, and gives the connection up. */
  void drop(StoreConnection connection);

  /** How long to wait before the next call; 0 if the call itself waits. */
  long pollMillis();

  /** Something found. */
  sealed interface Item {}

  /** A text of {@link ChangeLines}. */
  record Text(String text) implements Item {}

  /** Changes were missed. */
  record Gap() implements Item {}
}
