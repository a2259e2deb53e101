package dev.leasehold.store.jdbc.connections;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Statements that are sent together, in order: in one round trip on a server. With a file there are
 * no round trips to save.
 */
public final class QueryBatch {
  private final StoreConnection connection;
  private final List<Statement> statements = new ArrayList<>();

  QueryBatch(StoreConnection connection) {
    this.connection = connection;
  }

  /** No reading: the statement answers with no rows. */
  private record Statement(String name, List<@Nullable Object> values, Optional<Rows> reading) {}

  /** Reads the rows of an answer. */
  public interface Rows {
    void read(ResultSet rows) throws SQLException;

    /** Reads each row of an answer. */
    static Rows each(Rows row) {
      return rows -> {
        while (rows.next()) {
          row.read(rows);
        }
      };
    }
  }

  /** A statement that answers with rows. */
  public QueryBatch add(Rows reading, String name, @Nullable Object... values) {
    statements.add(new Statement(name, Arrays.asList(values), Optional.of(reading)));
    return this;
  }

  /** A statement that answers with none; one with rows follows. */
  public QueryBatch first(String name, @Nullable Object... values) {
    statements.add(new Statement(name, Arrays.asList(values), Optional.empty()));
    return this;
  }

  /** The answers are read in the order of the statements. */
  public void send() throws SQLException {
    if (connection.dialect().takesManyStatements() && !statements.isEmpty()) {
      sendTogether();
      return;
    }
    for (Statement one : statements) {
      if (one.reading().isPresent()) {
        connection.read(one.reading().get(), one.name(), one.values().toArray());
      } else {
        connection.update(one.name(), one.values().toArray());
      }
    }
  }

  private void sendTogether() throws SQLException {
    PreparedStatement all = connection.prepare(statements.stream().map(Statement::name).toList());
    StoreConnection.bind(all, statements.stream().flatMap(one -> one.values().stream()).toArray());
    boolean isAnswer = all.execute();
    for (Statement one : statements) {
      if (one.reading().isPresent()) {
        while (!isAnswer) {
          if (all.getUpdateCount() < 0) {
            throw new SQLException("no answer came to " + one.name());
          }
          isAnswer = all.getMoreResults();
        }
        try (ResultSet rows = all.getResultSet()) {
          one.reading().get().read(rows);
        }
        isAnswer = all.getMoreResults();
      }
    }
  }
}
