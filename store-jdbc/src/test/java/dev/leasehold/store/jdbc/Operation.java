package dev.leasehold.store.jdbc;

import dev.leasehold.fence.Changed;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.jdbc.ClaimRefusedException;
import dev.leasehold.kernel.Explanation;
import dev.leasehold.kernel.Operator;
import dev.leasehold.kernel.Terms;
import dev.leasehold.kernel.spi.Advance;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.connections.Failures;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.effects.AtEffect;
import dev.leasehold.store.jdbc.housekeeping.Housekeeping;
import dev.leasehold.store.jdbc.housekeeping.Page;
import dev.leasehold.store.jdbc.housekeeping.Place;
import dev.leasehold.store.jdbc.leases.LeasePurge;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** A session's action on the key of a scene; the sessions of one scene act side by side. */
enum Operation {
  /** Of a key without a row, of a free one, of a held one, or as a takeover of an expired one. */
  ACQUIRE(part -> part.apply(List.of(acquire(part, part.key())))),
  /** With another key in the same batch, which is then decided as all larger batches are. */
  ACQUIRE_TWO(
      part -> part.apply(List.of(acquire(part, part.key()), acquire(part, part.secondKey())))),
  RENEW(part -> part.apply(List.of(Command.Renew.of(part.key(), part.token(), Doing.ANN)))),
  /** Alone and on the way of renewals: it waits if another transaction has its row locked. */
  RENEW_WAITING(part -> part.renewWaiting(Command.Renew.of(part.key(), part.token(), Doing.ANN))),
  RELEASE(
      part ->
          part.apply(
              List.of(new Command.Release(part.key(), part.token(), Doing.ANN, part.requestId())))),
  REVOKE(part -> part.apply(List.of(revoke(part, part.key(), Command.Reopening.NOW)))),
  /** Revoked until an operator reopens it, even if it was free: then it gets a row. */
  CLOSE(part -> part.apply(List.of(revoke(part, part.key(), Command.Reopening.BY_OPERATOR)))),
  /** With another key in the same batch. */
  CLOSE_TWO(
      part ->
          part.apply(
              List.of(
                  revoke(part, part.key(), Command.Reopening.BY_OPERATOR),
                  revoke(part, part.secondKey(), Command.Reopening.BY_OPERATOR)))),
  PURGE(part -> part.apply(List.of(new Command.Purge(part.key(), 0)))),
  /** As housekeeping and operators purge: a page of records in one transaction. */
  TIDY(part -> part.session().tidy(session -> tidy(session, part.key()))),
  /** By hand, in a transaction of a user's. */
  DELETE(part -> inTransaction(part, Operation::delete, true)),
  DELETE_UNDONE(part -> inTransaction(part, Operation::delete, false)),
  /** A user checks the lease, writes and commits. */
  CHECK(Operation::checkAndWrite),
  /** The same in a transaction that has looked at something before. */
  LATE_CHECK(
      part -> {
        part.connection().setAutoCommit(false);
        part.query("SELECT count(*) FROM test_note WHERE key = ?", part.key().text());
        checkAndWrite(part);
      }),
  /** The same in a transaction that the store brings. */
  CHANGE(Operation::changeAtEffect),
  /** The same in one statement. */
  FRAGMENT(Operation::writeIfCurrent),
  ADVANCE(Operation::advance),
  /** A grant that is released, and forgotten. */
  COME_AND_GO(
      part -> comeAndGo(part, gone -> gone.apply(List.of(new Command.Purge(gone.key(), 0))))),
  COME_AND_TIDY(part -> comeAndGo(part, gone -> gone.session().tidy(s -> tidy(s, gone.key())))),
  /** Delays operations that need the floor of the key's bucket. */
  LOCK_FLOOR(part -> inTransaction(part, Operation::lockFloor, false)),
  /** Delays operations that need the key's row. */
  LOCK_ROW(part -> inTransaction(part, Operation::lockRow, false)),
  /** Delays an insert of the key's row, after everything that was read before. */
  INSERT_UNDONE(part -> inTransaction(part, held -> insert(held, held.key()), false)),
  /** Delays a batch of both keys, but not a command on the first alone. */
  INSERT_SECOND_UNDONE(part -> inTransaction(part, held -> insert(held, held.secondKey()), false));

  /** Longer than any order of steps takes. */
  private static final Duration LONG_TRUST = Duration.ofHours(1);

  @SuppressWarnings("ImmutableEnumChecker") // a stateless lambda, but its type cannot show that
  private final Act act;

  Operation(Act act) {
    this.act = act;
  }

  interface Act {
    void in(Part part) throws SQLException;
  }

  /** A deadlock, a lock timeout or a serialization failure ends it; a user would start again. */
  void run(Part part) throws SQLException {
    try {
      act.in(part);
    } catch (SQLException e) {
      boolean byOthers = Failures.of(e) == Failures.RESTART || Failures.of(e) == Failures.LOCKED;
      if (!byOthers) {
        throw e;
      }
      part.connection().rollback();
    }
  }

  /** Whether it only delays others. */
  boolean isLocker() {
    return compareTo(LOCK_FLOOR) >= 0;
  }

  private static Command acquire(Part part, LeaseKey key) {
    return Command.Acquire.of(
        key, part.instance(), part.requestId(), Terms.of("actor-" + part.name(), Doing.TTL));
  }

  private static Command revoke(Part part, LeaseKey key, Command.Reopening reopening) {
    return new Command.Revoke(
        key, new Operator("olga"), new Explanation("an order"), reopening, part.requestId());
  }

  private static void comeAndGo(Part part, Act purge) throws SQLException {
    part.apply(List.of(acquire(part, part.key())));
    if (part.outcomes().getLast() instanceof Outcome.Granted granted) {
      part.apply(
          List.of(
              new Command.Release(
                  part.key(), granted.grant().token(), part.instance(), part.requestId())));
      Start.letDie(part.store(), part.key());
      purge.in(part);
    }
  }

  /** A page that contains only this key. */
  private static int tidy(StoreConnection session, LeaseKey key) throws SQLException {
    Housekeeping.bound(session);
    long now = Housekeeping.clock(session);
    Place last = Place.of(Buckets.of(key), key.text());
    return new LeasePurge(Dialect.POSTGRESQL.limits(), 0)
        .tidy(session, Page.upTo(Place.of(last.bucket(), justBefore(key.text())), last), now);
  }

  /** Above every shorter or lower key of a scene, and below this one, by the order of bytes. */
  private static String justBefore(String key) {
    int end = key.length() - 1;
    return key.substring(0, end) + (char) (key.charAt(end) - 1) + Character.MAX_VALUE;
  }

  private static void inTransaction(Part part, Act act, boolean committed) throws SQLException {
    Connection connection = part.connection();
    connection.setAutoCommit(false);
    act.in(part);
    if (committed) {
      connection.commit();
    } else {
      connection.rollback();
    }
  }

  private static void delete(Part part) throws SQLException {
    part.update("DELETE FROM leasehold_lease WHERE key = ?", part.key().text());
  }

  private static void lockFloor(Part part) throws SQLException {
    part.query("SELECT 1 FROM leasehold_floor WHERE bucket = ? FOR UPDATE", Buckets.of(part.key()));
  }

  private static void lockRow(Part part) throws SQLException {
    part.query("SELECT 1 FROM leasehold_lease WHERE key = ? FOR UPDATE", part.key().text());
  }

  private static void insert(Part part, LeaseKey key) throws SQLException {
    part.update(
        "INSERT INTO leasehold_lease (bucket, key, last_token, written_at) VALUES (?, ?, 1, 0)"
            + " ON CONFLICT DO NOTHING",
        Buckets.of(key),
        key.text());
  }

  private static void advance(Part part) throws SQLException {
    Advance now = new Advance(OptionalInt.of(0), OptionalInt.empty(), OptionalLong.of(0));
    part.advanced(
        part.session()
            .transact(
                session -> {
                  part.advancesAtCommit();
                  return ((JdbcLeaseStore) part.store().store().leases()).advance(session, now);
                }));
  }

  private static void checkAndWrite(Part part) throws SQLException {
    Connection connection = part.connection();
    connection.setAutoCommit(false);
    if (isAdmitted(part, connection)) {
      part.update(
          "INSERT INTO test_note (key, token) VALUES (?, ?)",
          part.key().text(),
          part.token().value());
      part.changedAtCommit();
      connection.commit();
    } else {
      connection.rollback();
    }
  }

  private static void changeAtEffect(Part part) throws SQLException {
    Changed<Integer> unused =
        part.session()
            .effects(part.store().store(), part.store().storeId())
            .change(
                Claim.of(part.key(), part.token()),
                LONG_TRUST,
                connection -> {
                  part.changedAtCommit();
                  return note(part, connection);
                });
  }

  private static int note(Part part, Connection connection) throws SQLException {
    String sql = "INSERT INTO test_note (key, token) VALUES (?, ?)";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, part.key().text());
      statement.setLong(2, part.token().value());
      return statement.executeUpdate();
    }
  }

  private static boolean isAdmitted(Part part, Connection connection) throws SQLException {
    try {
      Claim claim = Claim.of(part.key(), part.token());
      part.store().effects().check(connection, claim, LONG_TRUST);
      return true;
    } catch (ClaimRefusedException e) {
      return false;
    }
  }

  private static void writeIfCurrent(Part part) throws SQLException {
    Connection connection = part.connection();
    AtEffect effects = part.store().effects();
    connection.setAutoCommit(false);
    String sql = "INSERT INTO test_note (key, token) SELECT ?, ? WHERE " + effects.fragment();
    int written;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, part.key().text());
      statement.setLong(2, part.token().value());
      effects.bind(statement, 3, Claim.of(part.key(), part.token()), LONG_TRUST);
      written = statement.executeUpdate();
    }
    if (written > 0) {
      part.changedAtCommit();
    }
    connection.commit();
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
