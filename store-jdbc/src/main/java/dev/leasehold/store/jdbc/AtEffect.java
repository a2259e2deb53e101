package dev.leasehold.store.jdbc;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Changed;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.Fence;
import dev.leasehold.fence.Guarantee;
import dev.leasehold.fence.Guarantee.Atomicity;
import dev.leasehold.fence.Guarantee.Durability;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.fence.Texts;
import dev.leasehold.kernel.Lease;
import dev.leasehold.kernel.spi.Buckets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.time.Duration;
import java.util.Optional;

/**
 * Changes in the leases' own database, each in one transaction with the check that its grant is
 * current. The check locks: until the transaction ends, nobody can end or replace the grant, while
 * renewals go on. So a change takes effect only under a grant that is current when it is committed.
 *
 * <pre>{@code
 * AtEffect effects = store.atEffect("orders", trail);
 * Changed<Integer> changed =
 *     effects.change(
 *         lease,
 *         connection -> {
 *           try (var update = connection.prepareStatement("UPDATE orders SET ...")) {
 *             return update.executeUpdate();
 *           }
 *         });
 * }</pre>
 *
 * <p>{@link #change} brings a connection and a time limit of its own. In a transaction of your own,
 * call {@link #check} before the commit, or put {@link #fragment()} into the statement itself. Your
 * transaction then lasts as long as you let it, and whoever wants to take over waits as long: set
 * the server's timeouts. The check comes before any savepoint, or is repeated after a rollback to
 * one: the lock goes with what is rolled back.
 */
public final class AtEffect implements Fence {
  private static final Guarantee GUARANTEE =
      new Guarantee(Durability.DURABLE, Atomicity.WITH_CHANGE);
  private static final int MAX_TARGET = 255;
  private static final String SERIALIZATION_FAILURE = "40001";

  private final String target;
  private final RefusalTrail trail;
  private final Effects effects;

  AtEffect(String target, RefusalTrail trail, Effects effects) {
    Texts.requireOneLine("target", target, 1, MAX_TARGET);
    this.target = target;
    this.trail = trail;
    this.effects = effects;
  }

  /**
   * Makes a change under a lease of this process, for as long as it can be trusted.
   *
   * @throws dev.leasehold.kernel.LeaseLostException if it is over already
   */
  public <T> Changed<T> change(Lease lease, Effect<T> effect) throws SQLException {
    lease.ensureHeld();
    return change(lease.claim(), lease.trust(), effect);
  }

  /**
   * Makes a change in a transaction of its own, if the claim's grant is current.
   *
   * <p>It costs one round trip more than the bare change, and has to be done within the trust that
   * is left; a server ends it by itself at that time, so that a process that is stopped in the
   * midst of it keeps nobody from taking over. (PostgreSQL before 17 ends what hangs or is silent
   * for so long, not what keeps talking.) On SQLite it holds back every other writer, renewals
   * included, and may therefore last for 2 s or a sixth of the shortest ttl at most; a process that
   * is stopped there holds them back until it goes on.
   *
   * @param trustLeft how long the lease may still be trusted
   * @throws SQLException if the change failed, or took too long: it was rolled back, unless the
   *     connection broke during the commit
   */
  public <T> Changed<T> change(Claim claim, Duration trustLeft, Effect<T> effect)
      throws SQLException {
    if (!trustLeft.isPositive()) {
      throw new IllFormedException("a change needs a lease that is trusted, not for " + trustLeft);
    }
    return effects.change(claim, trustLeft, row -> judge(claim, row), effect);
  }

  /**
   * Checks in the caller's transaction, and locks until that ends or is rolled back to a savepoint
   * before the check: then check again. The connection must be to the database of the leases.
   *
   * @throws IllegalStateException if there is no transaction: a lock that is gone at once is none
   * @throws SQLException also with SQL state 40001, above READ COMMITTED, if the transaction's
   *     snapshot is older than the lease: run it again
   */
  public Admission check(Connection connection, Claim claim) throws SQLException {
    if (connection.getAutoCommit()) {
      throw new IllegalStateException(
          "the check locks until its transaction ends, and this connection ends it at once: call"
              + " setAutoCommit(false), check, change and commit");
    }
    return judgeSeen(connection, claim, locked(connection, claim));
  }

  /** A grant that is current is found by a statement that can say no more than that. */
  private CurrentRow locked(Connection connection, Claim claim) throws SQLException {
    int bucket = Buckets.of(claim.key());
    String key = claim.key().text();
    long token = claim.token().value();
    Optional<CurrentRow> acting = Optional.empty();
    if (effects.dialect() == Dialect.SQLITE) {
      execute(connection, "take-write-lock");
    } else {
      Session.Reading<Optional<CurrentRow>> ifActing =
          row -> CurrentRow.readIfActing(row, claim.token());
      acting = look(connection, ifActing, "lock-current", bucket, key, token);
    }
    return acting.isPresent()
        ? acting.get()
        : look(connection, CurrentRow::read, "check-current", bucket, key, bucket);
  }

  /**
   * A condition to be put into the {@code WHERE} of a statement that changes something: it is true
   * if the grant is current, and locks as {@link #check} does, without a round trip of its own, and
   * like that until a rollback to a savepoint before it. It takes two parameters: see {@link
   * #bind}. If nothing was changed, {@link #explain} says why.
   */
  public String fragment() {
    return effects.sql("current-fragment");
  }

  /**
   * Sets the parameters of the {@link #fragment()}.
   *
   * @param from the number of the first one
   */
  public void bind(PreparedStatement statement, int from, Claim claim) throws SQLException {
    statement.setString(from, claim.key().text());
    statement.setLong(from + 1, claim.token().value());
  }

  /**
   * Says what a check would, without locking: why a statement with the {@link #fragment()} changed
   * nothing. Admitted means that it was not for the lease.
   */
  public Admission explain(Connection connection, Claim claim) throws SQLException {
    int bucket = Buckets.of(claim.key());
    return judgeSeen(
        connection,
        claim,
        look(connection, CurrentRow::read, "see-current", bucket, claim.key().text()));
  }

  /**
   * Says in the caller's transaction under which leases it acts, as guarded tables ask for. It
   * checks nothing: they do. {@link #change} does so by itself.
   *
   * @return to be closed before the commit; SQLite's tables would else stay open to everybody
   */
  public Brought bring(Connection connection, Claim... claims) throws SQLException {
    return switch (effects.dialect()) {
      case COCKROACHDB -> () -> {};
      case POSTGRESQL -> {
        bringEach(connection, claims);
        yield () -> {};
      }
      case SQLITE -> {
        execute(connection, "take-back");
        bringEach(connection, claims);
        yield () -> execute(connection, "take-back");
      }
    };
  }

  /** What a transaction has brought, until it is closed. */
  @FunctionalInterface
  public interface Brought extends AutoCloseable {
    @Override
    void close() throws SQLException;
  }

  private void bringEach(Connection connection, Claim... claims) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(effects.sql("bring"))) {
      for (Claim claim : claims) {
        bind(statement, 1, claim);
        boolean unused = statement.execute();
      }
    }
  }

  private void execute(Connection connection, String name) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(effects.sql(name))) {
      boolean unused = statement.execute();
    }
  }

  private <T> T look(
      Connection connection, Session.Reading<T> reading, String name, Object... values)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(effects.sql(name))) {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      try (ResultSet rows = statement.executeQuery()) {
        return reading.read(rows);
      }
    }
  }

  /** The caller's transaction may see the store as it was before the grant. */
  private Admission judgeSeen(Connection connection, Claim claim, CurrentRow row)
      throws SQLException {
    boolean unissued = row.admit(claim.token()) instanceof Admission.Unissued;
    if (unissued
        && effects.dialect() != Dialect.SQLITE
        && connection.getTransactionIsolation() > Connection.TRANSACTION_READ_COMMITTED
        && !(effects.see(claim).admit(claim.token()) instanceof Admission.Unissued)) {
      throw new SQLTransactionRollbackException(
          "the transaction's snapshot is older than the lease: run the transaction again",
          SERIALIZATION_FAILURE);
    }
    return judge(claim, row);
  }

  private Admission judge(Claim claim, CurrentRow row) {
    return told(claim, row, row.admit(claim.token()));
  }

  private Admission told(Claim claim, CurrentRow row, Admission answer) {
    effects.requireSameStore(row);
    if (answer instanceof Admission.Refused refused) {
      trail.add(target, claim, refused);
      effects.refused(target, claim, row, refused);
    }
    return answer;
  }

  @Override
  public String target() {
    return target;
  }

  @Override
  public Admission admit(Claim claim) {
    return judge(claim, effects.see(claim));
  }

  /** The record is the mark, and whoever took over has waited for what was under way. */
  @Override
  public Admission seal(Claim claim) {
    CurrentRow row = effects.see(claim);
    return told(claim, row, row.seal(claim.token()));
  }

  @Override
  public Guarantee guarantee() {
    return GUARANTEE;
  }
}
