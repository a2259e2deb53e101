package dev.leasehold.store.jdbc.objects;

import dev.leasehold.blocks.objects.model.ObjectChange;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.store.jdbc.batches.Attempts;
import dev.leasehold.store.jdbc.batches.LockedPlaces;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.rows.RowBatch;
import dev.leasehold.store.jdbc.rows.RowStore;
import dev.leasehold.store.jdbc.rows.RowTable;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** Objects, as rows for batches of writes. */
final class ObjectTable extends RowTable<ObjectName, ObjectCommand, ObjectOutcome, ObjectChange> {
  private static final Statements STATEMENTS =
      new Statements("locked-objects", "object-lock-holders");

  private final RowStore.Parts parts;

  ObjectTable(RowStore.Parts parts) {
    super(ObjectCommand.KIND, ObjectChanges.KIND, STATEMENTS, parts.hints().lines());
    this.parts = parts;
  }

  /** How long writes are remembered. */
  long memoryMillis() {
    return parts.limits().memoryMillis();
  }

  @Override
  protected List<String> columns(ObjectName name) {
    return List.of(name.type(), name.id());
  }

  @Override
  protected ObjectName place(ResultSet row) throws SQLException {
    return ObjectName.of(row.getString(1), row.getString(2));
  }

  @Override
  public RowBatch<ObjectName, ObjectCommand, ObjectOutcome, ObjectChange> begin(
      List<ObjectCommand> batch, Attempts attempts, LockedPlaces<ObjectName> lockedPlaces) {
    return parts.dialect().hasWritesInArrays()
        ? new ObjectBatch(this, batch, attempts, lockedPlaces)
        : new RowBatch<>(this, batch, attempts, lockedPlaces);
  }

  @Override
  protected ObjectRows rows(StoreConnection connection) {
    return parts.dialect().hasArrays()
        ? new ServerObjectRows(connection, memoryMillis())
        : new SqliteObjectRows(connection, memoryMillis());
  }
}
