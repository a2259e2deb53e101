package dev.leasehold.store.jdbc.objects;

import dev.leasehold.blocks.objects.model.ObjectChange;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.model.Payload;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.blocks.objects.spi.ObjectDecision;
import dev.leasehold.blocks.objects.spi.ObjectDecisionContext;
import dev.leasehold.blocks.objects.spi.ObjectRecord;
import dev.leasehold.blocks.objects.spi.ObjectRules;
import dev.leasehold.blocks.objects.spi.ObjectState;
import dev.leasehold.blocks.objects.spi.RememberedWrite;
import dev.leasehold.fence.Admission;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Version;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.rows.LockedRows;
import dev.leasehold.store.jdbc.rows.Ruled;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The objects of a batch of writes, within one transaction. */
abstract class ObjectRows
    extends LockedRows<
        ObjectName, ObjectCommand, ObjectOutcome, ObjectChange, ObjectRows.Seen, ObjectRows.Row> {
  private final long memoryMillis;

  /** Writes to remember, in order: to answer repeated requests with, or for a purge to find. */
  private final List<Remembered> remembered = new ArrayList<>();

  ObjectRows(StoreConnection connection, long memoryMillis) {
    super(connection, ObjectCommand.KIND);
    this.memoryMillis = memoryMillis;
  }

  /** An object, its binding, and the time and incarnation of the store. */
  record Seen(ObjectState state, Optional<LeaseKey> bound, long nowMillis, int incarnation) {}

  /**
   * An object as the batch leaves it.
   *
   * @param displaced writes that others of this batch have followed
   */
  record Row(
      ObjectName name,
      ObjectRecord record,
      Payload payload,
      boolean isNew,
      List<RememberedWrite> displaced) {
    int bucket() {
      return bucketOf(name);
    }

    Optional<RememberedWrite> recalled(ObjectCommand command) {
      boolean deletes = command instanceof ObjectCommand.Delete;
      return displaced.stream()
          .filter(write -> write.requestId().equals(command.requestId()))
          .filter(write -> (write.kind() == RememberedWrite.Kind.DELETED) == deletes)
          .findFirst();
    }
  }

  /** A remembered write that is stored beside the object. */
  record Remembered(ObjectName name, RememberedWrite write, long atMillis) {
    int bucket() {
      return bucketOf(name);
    }
  }

  /**
   * Writes all of it; returns whether no other process listened.
   *
   * @throws SQLException as a restart, if another transaction has created one of the objects
   *     meanwhile
   */
  abstract boolean write(List<Row> rows, List<Remembered> writes) throws SQLException;

  @Override
  protected final boolean hasTakenEffect(ObjectCommand command, Seen seen) {
    return seen.state().writtenBy(command).isPresent();
  }

  @Override
  protected final boolean write(List<Row> rows) throws SQLException {
    return write(rows, remembered);
  }

  @Override
  protected final Ruled<ObjectOutcome, ObjectChange, Row> decide(
      ObjectCommand command, Seen seen, Optional<Row> before, Admission admission) {
    ObjectState state =
        new ObjectState(
            seen.state().floor(),
            before.map(Row::record).or(() -> seen.state().record()),
            before.flatMap(row -> row.recalled(command)).or(() -> seen.state().recalled()));
    ObjectDecision decision =
        ObjectRules.decide(
            state,
            command,
            new ObjectDecisionContext(
                seen.bound(), admission, seen.nowMillis(), seen.incarnation()));
    if (decision.change().isEmpty()) {
      return Ruled.unchanged(decision.outcome());
    }
    Row row = changed(command.name(), before, decision.change().get(), seen);
    return Ruled.changed(
        decision.outcome(),
        row,
        new ObjectChange(
            row.record().isTombstone() ? ObjectChange.Kind.DELETED : ObjectChange.Kind.WRITTEN,
            command.name(),
            row.record().version()));
  }

  private Row changed(
      ObjectName name, Optional<Row> before, ObjectDecision.Change change, Seen seen) {
    List<RememberedWrite> displaced =
        before.isPresent() ? before.get().displaced() : new ArrayList<>();
    if (change.displaced().isPresent()) {
      ObjectRecord old = change.displaced().get();
      displaced.add(old.last());
      // Remembered only while its request may still be repeated.
      if (!old.isTombstone() && old.updatedAtMillis() >= seen.nowMillis() - memoryMillis) {
        remembered.add(new Remembered(name, old.last(), old.updatedAtMillis()));
      }
    }
    ObjectRecord after = change.record();
    if (after.isTombstone()) {
      // A deletion's remembered write is stored at once, because a purge looks for it there.
      remembered.add(new Remembered(name, after.last(), after.updatedAtMillis()));
    }
    boolean isNew = before.map(Row::isNew).orElse(seen.state().record().isEmpty());
    return new Row(name, after, change.payload(), isNew, displaced);
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
