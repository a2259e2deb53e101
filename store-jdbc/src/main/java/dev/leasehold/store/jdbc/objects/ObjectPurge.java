package dev.leasehold.store.jdbc.objects;

import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.Session;
import dev.leasehold.store.jdbc.housekeeping.Page;
import dev.leasehold.store.jdbc.housekeeping.Place;
import dev.leasehold.store.jdbc.housekeeping.Purging;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Removes tombstones of objects, and deeds that nobody will repeat. The floor of a tombstone's
 * bucket is locked and raised before the tombstone goes, so that whatever is created there comes
 * above it. What another has locked is left for another time.
 *
 * @param deadForMillis how long ago an object must have been deleted
 */
public record ObjectPurge(Limits limits, long deadForMillis) implements Purging {
  private record Tombstone(int bucket, String type, String id, long version) {}

  @Override
  public String name() {
    return "objects";
  }

  @Override
  public Page page(Session session, Page.Bounds bounds, long nowMillis) throws SQLException {
    Place after = bounds.after();
    return session.query(
        rows -> rows.next() ? Page.upTo(after, readPlace(rows)) : bounds.toEnd(),
        "deed-page",
        after.bucket(),
        after.name(),
        after.part(),
        after.request(),
        bounds.endBucket(),
        bounds.offset());
  }

  private static Place readPlace(ResultSet row) throws SQLException {
    return new Place(row.getInt(1), row.getString(2), row.getString(3), row.getString(4), 0);
  }

  @Override
  public int tidy(Session session, Page page, long nowMillis) throws SQLException {
    int deeds = trim(session, "trim-deeds", page, nowMillis - limits.memoryMillis());
    return deeds + purge(session, page, nowMillis, Integer.MAX_VALUE);
  }

  private static int trim(Session session, String statement, Page page, long before)
      throws SQLException {
    Place after = page.after();
    Place last = page.last();
    return session.update(
        statement,
        after.bucket(),
        after.name(),
        after.part(),
        after.request(),
        last.bucket(),
        last.name(),
        last.part(),
        last.request(),
        before);
  }

  @Override
  public int purge(Session session, Page page, long nowMillis, int limit) throws SQLException {
    long before = nowMillis - Math.max(deadForMillis, limits.memoryMillis());
    List<Tombstone> found = dead(session, page, before, limit);
    if (found.isEmpty()) {
      return 0;
    }
    int purged =
        session.dialect() == Dialect.SQLITE
            ? removeEach(session, found)
            : remove(session, locked(session, found));
    int unused = trim(session, "trim-deletions", page, before);
    return purged;
  }

  private static List<Tombstone> dead(Session session, Page page, long before, int limit)
      throws SQLException {
    Place after = page.after();
    Place last = page.last();
    return session.query(
        ObjectPurge::read,
        "dead-objects",
        after.bucket(),
        after.name(),
        after.part(),
        after.request(),
        last.bucket(),
        last.name(),
        last.part(),
        last.request(),
        before,
        limit);
  }

  private static List<Tombstone> read(ResultSet rows) throws SQLException {
    List<Tombstone> found = new ArrayList<>();
    while (rows.next()) {
      found.add(
          new Tombstone(rows.getInt(1), rows.getString(2), rows.getString(3), rows.getLong(4)));
    }
    return found;
  }

  private static List<Tombstone> locked(Session session, List<Tombstone> found)
      throws SQLException {
    Set<Integer> floors = lockFloors(session, found);
    List<Tombstone> free = found.stream().filter(one -> floors.contains(one.bucket())).toList();
    return session.query(
        ObjectPurge::read,
        "lock-tombstones",
        array(session, "text", free, Tombstone::type),
        array(session, "text", free, Tombstone::id),
        array(session, "int8", free, Tombstone::version));
  }

  private static Set<Integer> lockFloors(Session session, List<Tombstone> found)
      throws SQLException {
    PreparedStatement statement = session.prepare("lock-free-object-floors");
    statement.setArray(1, array(session, "int4", found, Tombstone::bucket));
    Set<Integer> floors = new HashSet<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        floors.add(rows.getInt(1));
      }
    }
    return floors;
  }

  private static int remove(Session session, List<Tombstone> dead) throws SQLException {
    if (dead.isEmpty()) {
      return 0;
    }
    Array versions = array(session, "int8", dead, Tombstone::version);
    session.update(
        "raise-object-floors", array(session, "int4", dead, Tombstone::bucket), versions);
    return session.update(
        "delete-tombstones",
        array(session, "text", dead, Tombstone::type),
        array(session, "text", dead, Tombstone::id),
        versions);
  }

  private static int removeEach(Session session, List<Tombstone> dead) throws SQLException {
    int removed = 0;
    for (Tombstone one : dead) {
      session.update("raise-object-floor", one.version(), one.bucket(), one.version());
      removed += session.update("delete-tombstone", one.type(), one.id(), one.version());
    }
    return removed;
  }

  private static Array array(
      Session session, String type, List<Tombstone> items, Function<Tombstone, Object> value)
      throws SQLException {
    return session.connection().createArrayOf(type, items.stream().map(value).toArray());
  }
}
