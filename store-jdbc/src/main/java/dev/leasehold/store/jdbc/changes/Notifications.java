package dev.leasehold.store.jdbc.changes;

import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/** LISTEN and NOTIFY of PostgreSQL. The channel is the store's own. */
public final class Notifications implements ChangeSource {
  private static final System.Logger LOG = System.getLogger(Notifications.class.getName());

  /** A silent connection may be dead: how long it may take to answer a question. */
  private static final int ANSWER_MILLIS = 4_000;

  private final int waitMillis;

  /** How long to wait for notifications before the connection is tested. */
  Notifications(Duration wait) {
    this.waitMillis = Math.toIntExact(wait.toMillis());
  }

  public static void post(StoreConnection connection, List<String> texts) throws SQLException {
    var statement = connection.prepare("send-changes");
    statement.setArray(1, connection.jdbc().createArrayOf("text", texts.toArray()));
    statement.execute();
  }

  @Override
  public void start(StoreConnection connection) throws SQLException {
    connection.autoCommit(true);
    connection.jdbc().setNetworkTimeout(Runnable::run, ANSWER_MILLIS);
    connection.update("listen");
  }

  @Override
  public List<Item> next(StoreConnection connection) throws SQLException {
    PGNotification[] found =
        connection.jdbc().unwrap(PGConnection.class).getNotifications(waitMillis);
    if (found == null || found.length == 0) {
      boolean unused = connection.query(ResultSet::next, "clock");
      return List.of();
    }
    return Arrays.stream(found).<Item>map(n -> new Text(n.getParameter())).toList();
  }

  /** A connection that listens must not return to a pool. */
  @Override
  public void drop(StoreConnection connection) {
    try {
      Connection jdbc = connection.jdbc();
      if (!jdbc.isClosed()) {
        jdbc.abort(Runnable::run);
      }
    } catch (SQLException e) {
      LOG.log(Level.DEBUG, "a connection that listened could not be given up", e);
    }
  }

  @Override
  public long pollMillis() {
    return 0;
  }
}
