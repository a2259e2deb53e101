package dev.leasehold.store.jdbc;

import dev.leasehold.fence.Changed;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.jdbc.ClaimRefusedException;
import dev.leasehold.kernel.model.Explanation;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.Terms;
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
  ACQUIRE(participant -> participant.apply(List.of(acquire(participant, participant.key())))),
  /** With another key in the same batch, which is then decided as all larger batches are. */
  ACQUIRE_TWO(
      participant ->
          participant.apply(
              List.of(
                  acquire(participant, participant.key()),
                  acquire(participant, participant.secondKey())))),
  RENEW(
      participant ->
          participant.apply(
              List.of(Command.Renew.of(participant.key(), participant.token(), TestCommands.ANN)))),
  /** Alone and on the way of renewals: it waits if another transaction has its row locked. */
  RENEW_WAITING(
      participant ->
          participant.renewWaiting(
              Command.Renew.of(participant.key(), participant.token(), TestCommands.ANN))),
  RELEASE(
      participant ->
          participant.apply(
              List.of(
                  new Command.Release(
                      participant.key(),
                      participant.token(),
                      TestCommands.ANN,
                      participant.requestId())))),
  REVOKE(
      participant ->
          participant.apply(
              List.of(revoke(participant, participant.key(), Command.Reopening.NOW)))),
  /** Revoked until an operator reopens it, even if it was free: then it gets a row. */
  CLOSE(
      participant ->
          participant.apply(
              List.of(revoke(participant, participant.key(), Command.Reopening.BY_OPERATOR)))),
  /** With another key in the same batch. */
  CLOSE_TWO(
      participant ->
          participant.apply(
              List.of(
                  revoke(participant, participant.key(), Command.Reopening.BY_OPERATOR),
                  revoke(participant, participant.secondKey(), Command.Reopening.BY_OPERATOR)))),
  PURGE(participant -> participant.apply(List.of(new Command.Purge(participant.key(), 0)))),
  /** As housekeeping and operators purge: a page of records in one transaction. */
  TIDY(participant -> participant.session().tidy(session -> tidy(session, participant.key()))),
  /** By hand, in a transaction of a user's. */
  DELETE(participant -> inTransaction(participant, Operation::delete, true)),
  DELETE_UNDONE(participant -> inTransaction(participant, Operation::delete, false)),
  /** A user checks the lease, writes and commits. */
  CHECK(Operation::checkAndWrite),
  /** The same in a transaction that has looked at something before. */
  LATE_CHECK(
      participant -> {
        participant.connection().setAutoCommit(false);
        participant.query("SELECT count(*) FROM test_note WHERE key = ?", participant.key().text());
        checkAndWrite(participant);
      }),
  /** The same in a transaction that the store brings. */
  CHANGE(Operation::changeAtEffect),
  /** The same in one statement. */
  FRAGMENT(Operation::writeIfCurrent),
  ADVANCE(Operation::advance),
  /** A grant that is released, and forgotten. */
  COME_AND_GO(
      participant ->
          comeAndGo(participant, gone -> gone.apply(List.of(new Command.Purge(gone.key(), 0))))),
  COME_AND_TIDY(
      participant -> comeAndGo(participant, gone -> gone.session().tidy(s -> tidy(s, gone.key())))),
  /** Delays operations that need the floor of the key's bucket. */
  LOCK_FLOOR(participant -> inTransaction(participant, Operation::lockFloor, false)),
  /** Delays operations that need the key's row. */
  LOCK_ROW(participant -> inTransaction(participant, Operation::lockRow, false)),
  /** Delays an insert of the key's row, after everything that was read before. */
  INSERT_UNDONE(participant -> inTransaction(participant, held -> insert(held, held.key()), false)),
  /** Delays a batch of both keys, but not a command on the first alone. */
  INSERT_SECOND_UNDONE(
      participant -> inTransaction(participant, held -> insert(held, held.secondKey()), false));

  /** Longer than any order of steps takes. */
  private static final Duration LONG_TRUST = Duration.ofHours(1);

  @SuppressWarnings("ImmutableEnumChecker") // a stateless lambda, but its type cannot show that
  private final Act act;

  Operation(Act act) {
    this.act = act;
  }

  interface Act {
    void in(Participant participant) throws SQLException;
  }

  /** A deadlock, a lock timeout or a serialization failure ends it; a user would start again. */
  void run(Participant participant) throws SQLException {
    try {
      act.in(participant);
    } catch (SQLException e) {
      boolean byOthers = Failures.of(e) == Failures.RESTART || Failures.of(e) == Failures.LOCKED;
      if (!byOthers) {
        throw e;
      }
      participant.connection().rollback();
    }
  }

  /** Whether it only delays others. */
  boolean isLocker() {
    return compareTo(LOCK_FLOOR) >= 0;
  }

  private static Command acquire(Participant participant, LeaseKey key) {
    return Command.Acquire.of(
        key,
        participant.instance(),
        participant.requestId(),
        Terms.of("actor-" + participant.name(), TestCommands.TTL));
  }

  private static Command revoke(
      Participant participant, LeaseKey key, Command.Reopening reopening) {
    return new Command.Revoke(
        key, new Operator("olga"), new Explanation("an order"), reopening, participant.requestId());
  }

  private static void comeAndGo(Participant participant, Act purge) throws SQLException {
    participant.apply(List.of(acquire(participant, participant.key())));
    if (participant.outcomes().getLast() instanceof Outcome.Granted granted) {
      participant.apply(
          List.of(
              new Command.Release(
                  participant.key(),
                  granted.grant().token(),
                  participant.instance(),
                  participant.requestId())));
      Start.letDie(participant.store(), participant.key());
      purge.in(participant);
    }
  }

  /** A page that contains only this key. */
  private static int tidy(StoreConnection session, LeaseKey key) throws SQLException {
    Housekeeping.bound(session);
    long now = Housekeeping.clock(session);
    Place last = Place.of(Buckets.of(key), key.text());
    return LeasePurge.after(0, Dialect.POSTGRESQL.limits())
        .tidy(session, Page.upTo(Place.of(last.bucket(), justBefore(key.text())), last), now);
  }

  /** Above every shorter or lower key of a scene, and below this one, by the order of bytes. */
  private static String justBefore(String key) {
    int end = key.length() - 1;
    return key.substring(0, end) + (char) (key.charAt(end) - 1) + Character.MAX_VALUE;
  }

  private static void inTransaction(Participant participant, Act act, boolean committed)
      throws SQLException {
    Connection connection = participant.connection();
    connection.setAutoCommit(false);
    act.in(participant);
    if (committed) {
      connection.commit();
    } else {
      connection.rollback();
    }
  }

  private static void delete(Participant participant) throws SQLException {
    participant.update("DELETE FROM leasehold_lease WHERE key = ?", participant.key().text());
  }

  private static void lockFloor(Participant participant) throws SQLException {
    participant.query(
        "SELECT 1 FROM leasehold_floor WHERE bucket = ? FOR UPDATE", Buckets.of(participant.key()));
  }

  private static void lockRow(Participant participant) throws SQLException {
    participant.query(
        "SELECT 1 FROM leasehold_lease WHERE key = ? FOR UPDATE", participant.key().text());
  }

  private static void insert(Participant participant, LeaseKey key) throws SQLException {
    participant.update(
        "INSERT INTO leasehold_lease (bucket, key, last_token, written_at) VALUES (?, ?, 1, 0)"
            + " ON CONFLICT DO NOTHING",
        Buckets.of(key),
        key.text());
  }

  private static void advance(Participant participant) throws SQLException {
    Advance now = new Advance(OptionalInt.of(0), OptionalInt.empty(), OptionalLong.of(0));
    participant.advanced(
        participant
            .session()
            .transact(
                session -> {
                  participant.advancesAtCommit();
                  return ((JdbcLeaseStore) participant.store().store().leases())
                      .advance(session, now);
                }));
  }

  private static void checkAndWrite(Participant participant) throws SQLException {
    Connection connection = participant.connection();
    connection.setAutoCommit(false);
    if (isAdmitted(participant, connection)) {
      participant.update(
          "INSERT INTO test_note (key, token) VALUES (?, ?)",
          participant.key().text(),
          participant.token().value());
      participant.changedAtCommit();
      connection.commit();
    } else {
      connection.rollback();
    }
  }

  private static void changeAtEffect(Participant participant) throws SQLException {
    Changed<Integer> unused =
        participant
            .session()
            .effects(participant.store().store(), participant.store().storeId())
            .change(
                Claim.of(participant.key(), participant.token()),
                LONG_TRUST,
                connection -> {
                  participant.changedAtCommit();
                  return note(participant, connection);
                });
  }

  private static int note(Participant participant, Connection connection) throws SQLException {
    String sql = "INSERT INTO test_note (key, token) VALUES (?, ?)";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, participant.key().text());
      statement.setLong(2, participant.token().value());
      return statement.executeUpdate();
    }
  }

  private static boolean isAdmitted(Participant participant, Connection connection)
      throws SQLException {
    try {
      Claim claim = Claim.of(participant.key(), participant.token());
      participant.store().effects().check(connection, claim, LONG_TRUST);
      return true;
    } catch (ClaimRefusedException e) {
      return false;
    }
  }

  private static void writeIfCurrent(Participant participant) throws SQLException {
    Connection connection = participant.connection();
    AtEffect effects = participant.store().effects();
    connection.setAutoCommit(false);
    String sql = "INSERT INTO test_note (key, token) SELECT ?, ? WHERE " + effects.fragment();
    int written;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, participant.key().text());
      statement.setLong(2, participant.token().value());
      effects.bind(statement, 3, Claim.of(participant.key(), participant.token()), LONG_TRUST);
      written = statement.executeUpdate();
    }
    if (written > 0) {
      participant.changedAtCommit();
    }
    connection.commit();
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
