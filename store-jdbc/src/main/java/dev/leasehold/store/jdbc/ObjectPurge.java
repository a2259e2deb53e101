package dev.leasehold.store.jdbc;

import dev.leasehold.kernel.spi.Limits;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Removes tombstones of objects, and deeds that nobody will repeat. The floor of a tombstone's
 * bucket is locked and raised before the tombstone goes, so that whatever is created there comes
 * above it. In small transactions, and never waiting for an object.
 */
final class ObjectPurge {
  /** So many tombstones a transaction: whoever creates an object in their buckets waits for it. */
  static final int PAGE = 50;

  private final Dialect dialect;
  private final Limits limits;

  ObjectPurge(Dialect dialect, Limits limits) {
    this.dialect = dialect;
    this.limits = limits;
  }

  private record Tombstone(int bucket, String type, String id, long version) {}

  /** A part of the buckets, as the store does it by itself; returns how many rows are gone. */
  long tidy(Session session, int from, int to) throws SQLException {
    long forgottenBefore = now(session) - limits.memoryMillis();
    long removed = session.update("trim-deeds", from, to, forgottenBefore);
    int purged;
    do {
      purged = inTransaction(session, s -> purge(s, new Range(from, to, PAGE), 0));
      removed += purged;
    } while (purged == PAGE);
    session.autoCommit(true);
    return removed;
  }

  private <T> T inTransaction(Session session, Work<T> work) throws SQLException {
    return dialect == Dialect.SQLITE
        ? session.inTransaction(
            s -> {
              s.update("take-write-lock");
              return work.run(s);
            })
        : session.inBoundedTransaction(work);
  }

  /** Buckets, and how many tombstones at the most. */
  record Range(int from, int to, int limit) {}

  /** Within the caller's transaction. */
  int purge(Session session, Range range, long deadForMillis) throws SQLException {
    long dead = now(session) - Math.max(deadForMillis, limits.memoryMillis());
    List<Tombstone> found =
        session.query(
            ObjectPurge::read,
            "dead-objects",
            range.from(),
            range.to(),
            dead,
            Math.min(range.limit(), PAGE));
    int purged = 0;
    for (Tombstone tombstone : found.isEmpty() ? found : locked(session, found)) {
      session.update(
          "raise-object-floor", tombstone.version(), tombstone.bucket(), tombstone.version());
      purged +=
          session.update("delete-tombstone", tombstone.type(), tombstone.id(), tombstone.version());
    }
    if (!found.isEmpty()) {
      session.update("trim-deletions", range.from(), range.to(), dead);
    }
    return purged;
  }

  private static long now(Session session) throws SQLException {
    return session.query(rows -> rows.next() ? rows.getLong(1) : 0L, "clock");
  }

  private static List<Tombstone> read(ResultSet rows) throws SQLException {
    List<Tombstone> found = new ArrayList<>();
    while (rows.next()) {
      found.add(
          new Tombstone(rows.getInt(1), rows.getString(2), rows.getString(3), rows.getLong(4)));
    }
    return found;
  }

  private List<Tombstone> locked(Session session, List<Tombstone> found) throws SQLException {
    if (dialect == Dialect.SQLITE) {
      return found;
    }
    PreparedStatement floors = session.prepare("lock-object-floors-to-raise");
    floors.setArray(1, array(session, "int4", found, Tombstone::bucket));
    boolean unused = floors.execute();
    PreparedStatement rows = session.prepare("lock-tombstones");
    rows.setArray(1, array(session, "text", found, Tombstone::type));
    rows.setArray(2, array(session, "text", found, Tombstone::id));
    rows.setArray(3, array(session, "int8", found, Tombstone::version));
    try (ResultSet locked = rows.executeQuery()) {
      return read(locked);
    }
  }

  private static Array array(
      Session session, String type, List<Tombstone> items, Function<Tombstone, Object> value)
      throws SQLException {
    return session.connection().createArrayOf(type, items.stream().map(value).toArray());
  }
}
