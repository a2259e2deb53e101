package dev.leasehold.store.jdbc.objects;

import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.blocks.objects.spi.ObjectRecord;
import dev.leasehold.blocks.objects.spi.ObjectState;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A batch on SQLite, whose transaction has the write lock: what it has read cannot change. */
final class SqliteObjectRows extends ObjectRows {
  SqliteObjectRows(StoreConnection connection, long memoryMillis) {
    super(connection, memoryMillis);
  }

  @Override
  protected List<Seen> lock(List<ObjectCommand> commands) throws SQLException {
    List<Seen> seen = new ArrayList<>(commands.size());
    for (ObjectCommand command : commands) {
      ObjectName name = command.name();
      seen.add(
          connection
              .first(
                  row -> seen(command, row),
                  "object-state",
                  bucketOf(name),
                  name.type(),
                  name.id(),
                  command.requestId().text(),
                  command instanceof ObjectCommand.Delete ? 1 : 0)
              .orElseThrow(StoreUnusableException::unmigrated));
    }
    return seen;
  }

  private static Seen seen(ObjectCommand command, ResultSet row) throws SQLException {
    long unusedVersion = row.getLong(1);
    Optional<ObjectRecord> record = row.wasNull() ? Optional.empty() : Optional.of(record(row, 1));
    int incarnation = row.getInt(8);
    ObjectState state =
        new ObjectState(
            floor(row.getLong(6), incarnation), record, recalled(row, 10, command.requestId()));
    return new Seen(state, key(row, 9), row.getLong(7), incarnation);
  }

  @Override
  boolean write(List<Row> rows, List<Remembered> writes) throws SQLException {
    for (Row row : rows) {
      ObjectRecord record = row.record();
      connection.update(
          row.isNew() ? "insert-object" : "update-object",
          record.version().value(),
          record.last().kind().number(),
          record.last().requestId().text(),
          record.createdAtMillis(),
          record.updatedAtMillis(),
          row.payload().bytes(),
          row.name().type(),
          row.name().id(),
          row.bucket());
    }
    for (Remembered one : writes) {
      connection.update(
          "remember-write",
          one.bucket(),
          one.name().type(),
          one.name().id(),
          one.write().requestId().text(),
          one.write().version().value(),
          one.write().kind().number(),
          one.atMillis());
    }
    return false;
  }
}
