package dev.leasehold.store.jdbc.objects;

import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.store.jdbc.batches.Attempts;
import dev.leasehold.store.jdbc.batches.LockHolders;
import dev.leasehold.store.jdbc.batches.LockedPlaces;
import dev.leasehold.store.jdbc.batches.Table;
import dev.leasehold.store.jdbc.batches.TableBatch;
import dev.leasehold.store.jdbc.changes.ChangeLines;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.status.LockHolder;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Objects, as rows for batches of writes.
 *
 * @param inArrays whether one statement of the database can write many objects and remember the
 *     replaced records
 */
record ObjectTable(ChangeLines lines, long memoryMillis, boolean inArrays)
    implements Table<ObjectName, ObjectCommand, ObjectSettled> {
  @Override
  public ObjectName place(ObjectCommand command) {
    return command.name();
  }

  @Override
  public boolean isFinal(ObjectCommand command, ObjectSettled settled) {
    return settled.outcome().isFinal(command.expected());
  }

  @Override
  public ObjectSettled failed(Certainty certainty, String detail) {
    return ObjectSettled.unchanged(new ObjectOutcome.Failed(certainty, detail));
  }

  @Override
  public boolean keepsLeases() {
    return false;
  }

  @Override
  public boolean isUrgent(ObjectCommand command) {
    return false;
  }

  @Override
  public TableBatch<ObjectName, ObjectCommand, ObjectSettled> begin(
      List<ObjectCommand> batch, Attempts attempts, LockedPlaces<ObjectName> lockedPlaces) {
    return new ObjectWrites(this, batch, attempts, lockedPlaces);
  }

  @Override
  public List<ObjectSettled> decide(StoreConnection connection, List<ObjectCommand> batch)
      throws SQLException {
    List<ObjectSettled> settled =
        new ObjectBatch(new SqliteObjectRows(connection), memoryMillis, false).run(batch);
    lines.post(connection, ObjectChanges.KIND, settled);
    return settled;
  }

  @Override
  public Set<ObjectName> locked(StoreConnection connection, List<ObjectName> names)
      throws SQLException {
    return connection.query(
        rows -> {
          Set<ObjectName> locked = new HashSet<>();
          while (rows.next()) {
            locked.add(ObjectName.of(rows.getString(1), rows.getString(2)));
          }
          return locked;
        },
        "locked-objects",
        connection.columns(names.stream().map(ObjectTable::texts).toList()));
  }

  static List<String> texts(ObjectName name) {
    return List.of(name.type(), name.id());
  }

  @Override
  public List<LockHolder> lockHolders(StoreConnection connection, ObjectName name)
      throws SQLException {
    return LockHolders.find(connection, "object-lock-holders", name.type(), name.id());
  }
}
