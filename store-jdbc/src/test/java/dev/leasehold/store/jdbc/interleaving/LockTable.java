package dev.leasehold.store.jdbc.interleaving;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The server's own report of which backend waits for which others. */
public final class LockTable implements AutoCloseable {
  private static final String WAITING =
      """
      SELECT l.pid, b.pid
        FROM pg_locks l CROSS JOIN unnest(pg_blocking_pids(l.pid)) AS b (pid)
       WHERE NOT l.granted AND l.pid = ANY (?::integer[])
      """;

  private final Connection connection;
  private final PreparedStatement waiting;

  public LockTable(Connection connection) throws SQLException {
    this.connection = connection;
    this.waiting = connection.prepareStatement(WAITING);
  }

  /**
   * Which of these wait, and for which backends. A backend that releases a lock grants it before it
   * answers its client: a backend that still waits after the answer waits for a different one.
   */
  Map<Integer, Set<Integer>> waiting(Collection<Integer> backends) throws SQLException {
    waiting.setArray(1, connection.createArrayOf("int4", backends.toArray()));
    Map<Integer, Set<Integer>> found = new HashMap<>();
    try (ResultSet rows = waiting.executeQuery()) {
      while (rows.next()) {
        found.computeIfAbsent(rows.getInt(1), pid -> new HashSet<>()).add(rows.getInt(2));
      }
    }
    return found;
  }

  /** Ends what the backend waits for. */
  void cancel(int backend) throws SQLException {
    try (PreparedStatement cancel = connection.prepareStatement("SELECT pg_cancel_backend(?)")) {
      cancel.setInt(1, backend);
      boolean unused = cancel.execute();
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
