package dev.leasehold.store.jdbc.changes;

import dev.leasehold.store.jdbc.connections.Session;
import java.sql.SQLException;
import java.util.List;

/** Where the changes of other processes are found, on one connection after the other. */
public interface ChangeSource {
  /** From here on nothing is missed, as long as this connection lasts. */
  void start(Session session) throws SQLException;

  /** What has come since; waits for a short while where there is something to wait for. */
  List<Item> next(Session session) throws SQLException;

  /** Makes a wait end, and gives the connection up. */
  void drop(Session session);

  /** How long to wait before the next question: 0 where the question itself waits. */
  long pollMillis();

  /** Something found. */
  sealed interface Item {}

  /** A text of {@link ChangeLines}. */
  record Text(String text) implements Item {}

  /** Something was missed. */
  record Gap() implements Item {}
}
