package dev.leasehold.store.jdbc.leases;

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
import java.util.List;
import java.util.function.Function;

/**
 * Forgets records of keys when nothing can depend on them any more, by the rule of {@code Purge}, a
 * page at a time. The floors of their buckets are locked first, then the records; what another has
 * locked is left for another time, so nothing waits while a floor is locked.
 *
 * @param deadForMillis how long nothing may have happened to a key
 */
public record LeasePurge(Limits limits, long deadForMillis) implements Purging {
  @Override
  public String name() {
    return "leases";
  }

  private record Dead(int bucket, String key, long token) {}

  @Override
  public Page page(Session session, Page.Bounds bounds, long nowMillis) throws SQLException {
    Place after = bounds.after();
    return session.query(
        rows ->
            rows.next()
                ? Page.upTo(after, Place.of(rows.getInt(1), rows.getString(2)))
                : bounds.toEnd(),
        "lease-page",
        after.bucket(),
        after.name(),
        bounds.endBucket(),
        bounds.offset());
  }

  @Override
  public int tidy(Session session, Page page, long nowMillis) throws SQLException {
    return purge(session, page, nowMillis, Integer.MAX_VALUE);
  }

  @Override
  public int purge(Session session, Page page, long nowMillis, int limit) throws SQLException {
    long quietMillis = Math.max(deadForMillis, limits.memoryMillis());
    Asked asked = new Asked(quietMillis, nowMillis - quietMillis, limit);
    List<Integer> buckets = buckets(session, page, asked.before());
    if (buckets.isEmpty()) {
      return 0;
    }
    return session.dialect() == Dialect.SQLITE
        ? removeEach(session, dead(session, page, asked))
        : remove(session, locked(session, page, lockFloors(session, buckets), asked));
  }

  private record Asked(long quietMillis, long before, int limit) {}

  private static List<Integer> buckets(Session session, Page page, long before)
      throws SQLException {
    return session.query(
        LeasePurge::readBuckets,
        "dead-buckets",
        before,
        page.after().bucket(),
        page.after().name(),
        page.last().bucket(),
        page.last().name());
  }

  private static List<Integer> readBuckets(ResultSet rows) throws SQLException {
    List<Integer> found = new ArrayList<>();
    while (rows.next()) {
      found.add(rows.getInt(1));
    }
    return found;
  }

  private static List<Dead> dead(Session session, Page page, Asked asked) throws SQLException {
    return session.query(
        LeasePurge::readDead,
        "dead-leases",
        asked.before(),
        page.after().bucket(),
        page.after().name(),
        page.last().bucket(),
        page.last().name(),
        asked.limit());
  }

  private static List<Dead> readDead(ResultSet rows) throws SQLException {
    List<Dead> found = new ArrayList<>();
    while (rows.next()) {
      found.add(new Dead(rows.getInt(1), rows.getString(2), rows.getLong(3)));
    }
    return found;
  }

  private static List<Integer> lockFloors(Session session, List<Integer> buckets)
      throws SQLException {
    PreparedStatement floors = session.prepare("lock-free-floors");
    floors.setArray(1, session.connection().createArrayOf("int4", buckets.toArray()));
    try (ResultSet locked = floors.executeQuery()) {
      return readBuckets(locked);
    }
  }

  private static List<Dead> locked(Session session, Page page, List<Integer> floors, Asked asked)
      throws SQLException {
    return session.query(
        LeasePurge::readDead,
        "lock-dead-leases",
        asked.before(),
        page.after().bucket(),
        page.after().name(),
        page.last().bucket(),
        page.last().name(),
        session.connection().createArrayOf("int4", floors.toArray()),
        asked.limit(),
        asked.quietMillis());
  }

  /** The floors first, so that the next grants of these keys count on from them. */
  private static int remove(Session session, List<Dead> dead) throws SQLException {
    if (dead.isEmpty()) {
      return 0;
    }
    Array buckets = array(session, "int4", dead, Dead::bucket);
    Array keys = array(session, "text", dead, Dead::key);
    session.update("raise-floors", buckets, array(session, "int8", dead, Dead::token));
    session.update("delete-past-grants", buckets, keys);
    session.update("delete-requests", buckets, keys);
    return session.update("delete-leases", buckets, keys);
  }

  private static Array array(
      Session session, String type, List<Dead> items, Function<Dead, Object> value)
      throws SQLException {
    return session.connection().createArrayOf(type, items.stream().map(value).toArray());
  }

  /** In a file there are no round trips to be saved. */
  private static int removeEach(Session session, List<Dead> dead) throws SQLException {
    int removed = 0;
    for (Dead one : dead) {
      session.update("raise-floor", one.token(), one.bucket(), one.token());
      session.update("delete-past-grant", one.bucket(), one.key());
      session.update("delete-request", one.bucket(), one.key());
      removed += session.update("delete-lease", one.bucket(), one.key());
    }
    return removed;
  }
}
