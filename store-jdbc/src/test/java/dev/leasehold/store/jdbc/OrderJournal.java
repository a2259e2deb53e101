package dev.leasehold.store.jdbc;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.rules.Caller;
import dev.leasehold.kernel.rules.Remembered;
import dev.leasehold.kernel.rules.Remembered.Verb;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.testkit.history.LogEntry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** All writes to a key, recorded by triggers in the store's own database, as entries of a log. */
final class OrderJournal {
  private static final String ENTRIES =
      "SELECT * FROM test_journal WHERE seq > ? AND (key = ? OR key IS NULL) ORDER BY seq";
  private static final String YOUNG =
      "SELECT count(*) FROM test_journal WHERE seq > ? AND key = ? AND what = 'delete'"
          + " AND backend = ? AND at > noted_at - ?";
  private static final int OPEN = 0;
  private static final int LAPSED = 1;
  private static final int ENDED = 2;

  private final Connection observer;

  OrderJournal(Connection observer) {
    this.observer = observer;
  }

  /** The number of the latest committed entry, of any key. */
  long last() {
    try (PreparedStatement statement =
            observer.prepareStatement("SELECT coalesce(max(seq), 0) FROM test_journal");
        ResultSet rows = statement.executeQuery()) {
      return rows.next() ? rows.getLong(1) : 0;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** How often a session has deleted a record that a caller may still depend on. */
  int deletedYoung(LeaseKey key, long after, int backend) throws SQLException {
    try (PreparedStatement statement = observer.prepareStatement(YOUNG)) {
      statement.setLong(1, after);
      statement.setString(2, key.text());
      statement.setInt(3, backend);
      statement.setLong(4, Limits.MIN_MEMORY_MILLIS);
      try (ResultSet rows = statement.executeQuery()) {
        return rows.next() ? rows.getInt(1) : 0;
      }
    }
  }

  /**
   * The committed writes to a key.
   *
   * @param after a number of {@link #last()}
   * @param revokers the revoking sessions, by the server's process id
   */
  List<LogEntry> entries(LeaseKey key, long after, Map<Integer, RequestId> revokers)
      throws SQLException {
    List<LogEntry> entries = new ArrayList<>();
    try (PreparedStatement statement = observer.prepareStatement(ENTRIES)) {
      statement.setLong(1, after);
      statement.setString(2, key.text());
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          Optional<LogEntry.Effect> effect = effect(row, revokers);
          if (effect.isPresent()) {
            entries.add(new LogEntry(key, row.getLong("seq"), row.getLong("at"), effect.get()));
          }
        }
      }
    }
    return entries;
  }

  private static Optional<LogEntry.Effect> effect(ResultSet row, Map<Integer, RequestId> revokers)
      throws SQLException {
    return switch (row.getString("what")) {
      case "delete" -> Optional.of(new LogEntry.Purged(new Token(row.getLong("last_token"))));
      case "advance" -> Optional.of(new LogEntry.IncarnationAdvanced(row.getInt("token")));
      default -> put(row, revokers);
    };
  }

  private static Optional<LogEntry.Effect> put(ResultSet row, Map<Integer, RequestId> revokers)
      throws SQLException {
    long wasToken = row.getLong("was_token");
    long token = row.getLong("token");
    if (token != wasToken) {
      return Optional.of(
          new LogEntry.Granted(
              new Token(token),
              holder(row, "request_id", Verb.ACQUIRE),
              row.getLong("expires_at")));
    }
    boolean ends = row.getInt("standing") == ENDED && row.getInt("was_standing") != ENDED;
    if (row.getLong("last_token") != row.getLong("was_last")) {
      RequestId request = Objects.requireNonNull(revokers.get(row.getInt("backend")));
      return Optional.of(
          new LogEntry.Revoked(
              new Token(row.getLong("last_token")),
              ends ? Optional.of(new Token(token)) : Optional.empty(),
              new Remembered.Request(
                  request, new Caller.ByOperator(new Operator("olga")), Verb.REVOKE)));
    }
    if (ends) {
      return Optional.of(
          new LogEntry.Released(new Token(token), holder(row, "end_request", Verb.RELEASE)));
    }
    if (row.getInt("standing") == LAPSED && row.getInt("was_standing") == OPEN) {
      return Optional.of(new LogEntry.Lapsed(new Token(token)));
    }
    // Two renewals in one millisecond leave the same times.
    return token > 0 && row.getInt("standing") == OPEN
        ? Optional.of(new LogEntry.Renewed(new Token(token), row.getLong("expires_at")))
        : Optional.empty();
  }

  private static Remembered.Request holder(ResultSet row, String request, Verb verb)
      throws SQLException {
    return new Remembered.Request(
        new RequestId(row.getString(request)),
        new Caller.Holder(new InstanceId(row.getString("instance_id"))),
        verb);
  }
}
