package dev.leasehold.store.jdbc;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.RequestId;
import dev.leasehold.kernel.Terms;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;

/** How a key stands before an order begins. */
enum Start {
  /** It has no row, and never had one. */
  ABSENT(0, false),
  /** Twice granted and given back: its counter stands at 2. */
  FREE(2, true),
  /** Held by Ann, for a minute. */
  HELD(1, false),
  /** Held by Ann until a minute ago; nothing has noticed yet. */
  EXPIRED(1, false);

  /** Nothing is written by a trigger: this has no place in the journal. */
  private static final String MAKE_OLDER =
      """
      UPDATE leasehold_lease
         SET granted_at = granted_at - 120000, renewed_at = renewed_at - 120000,
             expires_at = expires_at - 120000, progressed_at = progressed_at - 120000,
             written_at = written_at - 120000
       WHERE key = ?
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
    if (this == EXPIRED) {
      makeOlder(store, key);
    }
  }

  private void acquire(OrderedSession session, LeaseKey key, int grant) {
    Command.Acquire acquire =
        Command.Acquire.of(
            key, Doing.ANN, new RequestId("start-" + grant), Terms.of("ann", Doing.TTL));
    Outcome outcome = session.apply(List.of(acquire)).getFirst().outcome();
    if (!(outcome instanceof Outcome.Granted granted)) {
      throw new AssertionError("not granted: " + outcome);
    }
    if (released) {
      Command release =
          new Command.Release(
              key, granted.grant().token(), Doing.ANN, new RequestId("start-end-" + grant));
      Outcome end = session.apply(List.of(release)).getFirst().outcome();
      if (!(end instanceof Outcome.Released)) {
        throw new AssertionError("not released: " + end);
      }
    }
  }

  private static void makeOlder(OrderedStore store, LeaseKey key) throws SQLException {
    try (var settings = store.observer().createStatement();
        PreparedStatement older = store.observer().prepareStatement(MAKE_OLDER)) {
      boolean unused = settings.execute("SET session_replication_role = replica");
      older.setString(1, key.text());
      int changed = older.executeUpdate();
      unused = settings.execute("SET session_replication_role = origin");
      if (changed != 1) {
        throw new AssertionError(key + " has no row");
      }
    }
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
