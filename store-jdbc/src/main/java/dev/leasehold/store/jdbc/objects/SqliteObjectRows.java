package dev.leasehold.store.jdbc.objects;

import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.blocks.objects.spi.ObjectRecord;
import dev.leasehold.blocks.objects.spi.ObjectState;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.effects.ClaimedLeases;
import dev.leasehold.store.jdbc.effects.CurrentRow;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A batch on SQLite, whose transaction has the write lock: what it has read cannot change. */
final class SqliteObjectRows implements ObjectRows {
  private final StoreConnection connection;

  SqliteObjectRows(StoreConnection connection) {
    this.connection = connection;
  }

  @Override
  public Map<LeaseKey, CurrentRow> lockClaims(Collection<LeaseKey> keys) throws SQLException {
    return ClaimedLeases.read(connection, keys);
  }

  @Override
  public List<Seen> lock(List<ObjectCommand> commands) throws SQLException {
    List<Seen> seen = new ArrayList<>(commands.size());
    for (ObjectCommand command : commands) {
      ObjectName name = command.name();
      seen.add(
          connection.query(
              row -> seen(command, row),
              "object-state",
              ObjectRows.bucketOf(name),
              name.type(),
              name.id(),
              command.requestId().text(),
              command instanceof ObjectCommand.Delete ? 1 : 0));
    }
    return seen;
  }

  private static Seen seen(ObjectCommand command, ResultSet row) throws SQLException {
    if (!row.next()) {
      throw new StoreUnusableException("the store's own row is missing: run leasehold migrate");
    }
    long unusedVersion = row.getLong(1);
    Optional<ObjectRecord> record =
        row.wasNull() ? Optional.empty() : Optional.of(ObjectRows.record(row, 1));
    int incarnation = row.getInt(8);
    ObjectState state =
        new ObjectState(
            ObjectRows.floor(row.getLong(6), incarnation),
            record,
            ObjectRows.recalled(row, 10, command.requestId()));
    return new Seen(state, ObjectRows.key(row, 9), row.getLong(7), incarnation);
  }

  @Override
  public boolean write(List<Row> rows, List<Remembered> remembered) throws SQLException {
    for (Row row : rows) {
      int unused = row.isNew() ? insert(row) : update(row);
    }
    for (Remembered one : remembered) {
      int unused =
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

  private int insert(Row row) throws SQLException {
    ObjectRecord record = row.record();
    return connection.update(
        "insert-object",
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

  private int update(Row row) throws SQLException {
    ObjectRecord record = row.record();
    return connection.update(
        "update-object",
        record.version().value(),
        record.last().kind().number(),
        record.last().requestId().text(),
        record.createdAtMillis(),
        record.updatedAtMillis(),
        row.payload().bytes(),
        row.name().type(),
        row.name().id());
  }
}
