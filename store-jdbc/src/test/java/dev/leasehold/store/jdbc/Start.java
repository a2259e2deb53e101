package dev.leasehold.store.jdbc;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** The state of a key before an order begins. */
enum Start {
  /** It has no row, and never had one. */
  ABSENT(0, false),
  /** Twice granted and given back: its counter stands at 2. */
  FREE(2, true),
  /** Held by Ann, for a minute. */
  HELD(1, false),
  /** Held by Ann until a minute ago; no command has found the expiry yet. */
  EXPIRED(1, false),
  /** Given back long ago: it can be purged. */
  DEAD(2, true);

  /** Ann's grant is for a minute. */
  static final long EXPIRED_MILLIS = Duration.ofMinutes(2).toMillis();

  private static final long DEAD_MILLIS = Duration.ofMinutes(30).toMillis();

  /** Does not wait: a row that another session has locked stays as it is. */
  private static final String MAKE_OLDER =
      """
      WITH older AS MATERIALIZED (
        SELECT l.bucket, l.key, ?::bigint AS ms
          FROM leasehold_lease l WHERE l.key = ? FOR UPDATE SKIP LOCKED
      )
      UPDATE leasehold_lease l
         SET granted_at = granted_at - ms, renewed_at = renewed_at - ms,
             expires_at = expires_at - ms, progressed_at = progressed_at - ms,
             ended_at = ended_at - ms, written_at = written_at - ms
        FROM older o
       WHERE l.bucket = o.bucket AND l.key = o.key
      """;

  private final int grants;
  private final boolean released;

  Start(int grants, boolean released) {
    this.grants = grants;
    this.released = released;
  }

  void prepare(OrderedStore store, LeaseKey key) throws SQLException {
    for (int grant = 0; grant < grants; grant++) {
      acquire(store.preparing(), key, grant);
    }
    switch (this) {
      case EXPIRED -> makeOlder(store, key, EXPIRED_MILLIS);
      case DEAD -> makeOlder(store, key, DEAD_MILLIS);
      case ABSENT, FREE, HELD -> {}
    }
  }

  /** As if the key had not been used for long; without a trace in the journal. */
  static void letDie(OrderedStore store, LeaseKey key) throws SQLException {
    makeOlder(store, key, DEAD_MILLIS);
  }

  private void acquire(OrderedSession session, LeaseKey key, int grant) {
    Command.Acquire acquire =
        Command.Acquire.of(
            key,
            TestCommands.ANN,
            new RequestId("start-" + grant),
            Terms.of("ann", TestCommands.TTL));
    Outcome outcome = session.apply(List.of(acquire)).getFirst().outcome();
    if (!(outcome instanceof Outcome.Granted granted)) {
      throw new AssertionError("not granted: " + outcome);
    }
    if (released) {
      Command release =
          new Command.Release(
              key, granted.grant().token(), TestCommands.ANN, new RequestId("start-end-" + grant));
      Outcome end = session.apply(List.of(release)).getFirst().outcome();
      if (!(end instanceof Outcome.Released)) {
        throw new AssertionError("not released: " + end);
      }
    }
  }

  private static void makeOlder(OrderedStore store, LeaseKey key, long millis) throws SQLException {
    try (var settings = store.observer().createStatement();
        PreparedStatement older = store.observer().prepareStatement(MAKE_OLDER)) {
      boolean unused = settings.execute("SET session_replication_role = replica");
      older.setLong(1, millis);
      older.setString(2, key.text());
      int changed = older.executeUpdate();
      unused = settings.execute("SET session_replication_role = origin");
      assert changed <= 1;
    }
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
