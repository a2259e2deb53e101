package dev.leasehold.store.jdbc.anchors;

import dev.leasehold.blocks.rows.model.SessionGrant;
import dev.leasehold.blocks.rows.spi.DecisionMoment;
import dev.leasehold.blocks.rows.spi.SessionRules;
import dev.leasehold.blocks.rows.spi.SessionState;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.leases.LeaseRow;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The records of sessions as a transaction sees them. On a server they are locked until it ends:
 * what ends a session waits, a renewal does not.
 */
record LockedSessions(Map<LeaseKey, LeaseRecord> records, DecisionMoment moment) {
  /** The columns of a lease, the clock, the incarnation and its hold-off. */
  static final int COLUMNS = 32;

  private static final int CLOCK = 30;
  private static final int INCARNATION = 31;
  private static final Comparator<LeaseKey> AS_ROWS_ARE_LOCKED =
      Comparator.<LeaseKey>comparingInt(Buckets::of).thenComparing(LeaseKey::text);

  static LockedSessions lock(StoreConnection connection, SessionGrant... sessions)
      throws SQLException {
    List<LeaseKey> keys =
        Stream.of(sessions).map(SessionGrant::key).distinct().sorted(AS_ROWS_ARE_LOCKED).toList();
    Map<LeaseKey, LeaseRecord> records = new HashMap<>();
    for (LeaseKey key : keys) {
      Optional<LeaseRow.Found> found =
          connection.first(LeaseRow::read, "lock-session", Buckets.of(key), key.text());
      found.ifPresent(one -> records.put(key, one.row().record()));
    }
    // Read after the locks, which may have been waited for.
    return connection
        .first(row -> new DecisionMoment(row.getLong(1), row.getInt(2)), "moment")
        .map(moment -> new LockedSessions(records, moment))
        .orElseThrow(StoreUnusableException::unmigrated);
  }

  /** The record in a row of a query that starts with these columns; there may be none. */
  static LockedSessions read(ResultSet row) throws SQLException {
    DecisionMoment moment = new DecisionMoment(row.getLong(CLOCK), row.getInt(INCARNATION));
    if (row.getString(1) == null) {
      return new LockedSessions(Map.of(), moment);
    }
    LeaseRecord record = LeaseRow.read(row).row().record();
    return new LockedSessions(Map.of(record.key(), record), moment);
  }

  SessionState state(SessionGrant session) {
    return SessionRules.stateOf(Optional.ofNullable(records.get(session.key())), session, moment);
  }
}
