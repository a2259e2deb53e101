package dev.leasehold.store.jdbc.objects;

import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.Payload;
import dev.leasehold.blocks.objects.model.Version;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.blocks.objects.spi.ObjectRecord;
import dev.leasehold.blocks.objects.spi.ObjectState;
import dev.leasehold.blocks.objects.spi.RememberedWrite;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.store.jdbc.effects.CurrentRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How one kind of database locks and writes the rows of a batch, within its transaction. */
public interface ObjectRows {
  /** The rows that checks of these keys' tokens need; no grant of them ends before the commit. */
  Map<LeaseKey, CurrentRow> lockClaims(Collection<LeaseKey> keys) throws SQLException;

  /** The state for each command, in order; it cannot change until the commit. */
  List<Seen> lock(List<ObjectCommand> commands) throws SQLException;

  /**
   * Writes all of it.
   *
   * @param remembered remembered writes to answer repeated requests with, or for a purge to find
   * @return whether no other process listened
   * @throws SQLException as a restart, if another transaction has created one of the objects
   *     meanwhile
   */
  boolean write(List<Row> rows, List<Remembered> remembered) throws SQLException;

  /** An object, its binding, and the time and incarnation of the store. */
  record Seen(ObjectState state, Optional<LeaseKey> bound, long nowMillis, int incarnation) {}

  /** A row to be written. */
  record Row(ObjectName name, ObjectRecord record, Payload payload, boolean isNew) {
    int bucket() {
      return bucketOf(name);
    }
  }

  /** A remembered write that is stored beside the object. */
  record Remembered(ObjectName name, RememberedWrite write, long atMillis) {
    int bucket() {
      return bucketOf(name);
    }
  }

  static int bucketOf(ObjectName name) {
    return Buckets.of(name.toString());
  }

  /** Floor 0: no object of the bucket was purged yet, so versions begin with the incarnation. */
  static Version floor(long stored, int incarnation) {
    return stored == 0 ? Version.of(incarnation, 0) : new Version(stored);
  }

  /** Reads version, remembered write, request id and two times, beginning at a column. */
  static ObjectRecord record(ResultSet row, int from) throws SQLException {
    RememberedWrite last =
        new RememberedWrite(
            new RequestId(row.getString(from + 2)),
            RememberedWrite.Kind.of(row.getInt(from + 1)),
            new Version(row.getLong(from)));
    return new ObjectRecord(last, row.getLong(from + 3), row.getLong(from + 4));
  }

  /** Reads version and remembered write, if they are not null. */
  static Optional<RememberedWrite> recalled(ResultSet row, int from, RequestId requestId)
      throws SQLException {
    long version = row.getLong(from);
    return row.wasNull()
        ? Optional.empty()
        : Optional.of(
            new RememberedWrite(
                requestId, RememberedWrite.Kind.of(row.getInt(from + 1)), new Version(version)));
  }

  static Optional<LeaseKey> key(ResultSet row, int column) throws SQLException {
    return Optional.ofNullable(row.getString(column)).map(LeaseKey::new);
  }
}
