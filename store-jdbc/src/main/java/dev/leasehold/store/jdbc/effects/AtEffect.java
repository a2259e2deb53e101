package dev.leasehold.store.jdbc.effects;

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
import dev.leasehold.fence.jdbc.ClaimRefusedException;
import dev.leasehold.kernel.Holding;
import dev.leasehold.store.jdbc.connections.Dialect;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
 * <p>{@link #change} brings a connection of its own. In a transaction of your own, call {@link
 * #check} before the commit, or put {@link #fragment()} into the statement itself. Either way the
 * server ends the transaction when the trust has run out, so that a process that is stopped in it
 * holds nobody back for longer. The check comes before any savepoint, or is repeated after a
 * rollback to one: the lock goes with what is rolled back.
 *
 * <p>The connection keeps its search_path, and nothing here depends on it.
 */
public final class AtEffect implements Fence {
  private static final Guarantee GUARANTEE =
      new Guarantee(Durability.DURABLE, Atomicity.WITH_CHANGE);
  private static final int MAX_TARGET = 255;
  private static final String SERIALIZATION_FAILURE = "40001";

  private final String target;
  private final RefusalTrail trail;
  private final Effects effects;

  public AtEffect(String target, RefusalTrail trail, Effects effects) {
    Texts.requireOneLine("target", target, 1, MAX_TARGET);
    this.target = target;
    this.trail = trail;
    this.effects = effects;
  }

  /**
   * Makes a change under what this process holds, a lease or a term of leadership, for as long as
   * it can be trusted.
   *
   * @throws dev.leasehold.kernel.LeaseLostException if it is over already
   */
  public <T> Changed<T> change(Holding held, Effect<T> effect) throws SQLException {
    held.ensureHeld();
    return change(held.claim(), held.trust(), effect);
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
    requireTrust(trustLeft);
    return effects.change(claim, trustLeft, row -> judge(claim, row), effect);
  }

  /**
   * Checks in the caller's transaction that what this process holds, a lease or a term of
   * leadership, is current, and bounds the transaction by its trust; see {@link #check(Connection,
   * Claim, Duration)}.
   *
   * @throws dev.leasehold.kernel.LeaseLostException if it is over already; a server has aborted the
   *     transaction then too
   */
  public void check(Connection connection, Holding held) throws SQLException {
    check(connection, held.claim(), held.trust(), held::ensureHeld);
  }

  /**
   * Checks in the caller's transaction, and locks until that ends or is rolled back to a savepoint
   * before the check: then check again. The connection must be to the database of the leases.
   *
   * <p>A refusal is an error inside the statement, so a server aborts the transaction: what is
   * written after it, or was before, is not committed even if the exception is caught. SQLite has
   * no such thing: there the caller must roll back. No connection of a user's is rolled back here.
   *
   * <p>In the same round trip it sets, for this transaction, {@code
   * idle_in_transaction_session_timeout}, {@code statement_timeout} and, from PostgreSQL 17 on,
   * {@code transaction_timeout} to the trust that is left, unless they are lower. On SQLite nothing
   * ends a transaction whose process was stopped.
   *
   * @param trustLeft how long the lease may still be trusted
   * @throws ClaimRefusedException if the claim's grant is not current; it is in the trail and in
   *     the audit
   * @throws IllegalStateException if there is no transaction: a lock that is gone at once is none
   * @throws SQLException also with SQL state 40001, above READ COMMITTED, if the transaction's
   *     snapshot is older than the lease: run it again
   */
  public void check(Connection connection, Claim claim, Duration trustLeft) throws SQLException {
    check(connection, claim, trustLeft, () -> {});
  }

  private void check(Connection connection, Claim claim, Duration trustLeft, Runnable ensureTrusted)
      throws SQLException {
    UserTransaction transaction = UserTransaction.on(connection, effects.namespace());
    if (effects.dialect() == Dialect.SQLITE) {
      ensureTrusted.run();
      requireTrust(trustLeft);
      refuseIn(claim, judgeSeen(claim, transaction.lockOnSqlite(claim)), null);
      return;
    }
    Optional<Duration> trusted = Optional.of(trustLeft).filter(Duration::isPositive);
    try {
      transaction.checkOnServer(claim, new UserTransaction.Asked(effects.usableId(), trusted));
    } catch (SQLException e) {
      Optional<CheckFailure> failure = CheckFailure.of(e);
      if (failure.isEmpty()) {
        throw e;
      }
      // From here on the transaction is aborted, whatever is thrown.
      ensureTrusted.run();
      requireTrust(trustLeft);
      refuseIn(claim, judgeFailed(claim, failure.get()), e);
    }
  }

  private static void requireTrust(Duration trustLeft) {
    if (!trustLeft.isPositive()) {
      throw new IllFormedException(
          "a change needs a lease that can still be trusted; trustLeft is " + trustLeft);
    }
  }

  private void refuseIn(Claim claim, Admission answer, @Nullable SQLException abortedBy)
      throws ClaimRefusedException {
    if (answer instanceof Admission.Refused refused) {
      throw new ClaimRefusedException(target, claim, refused, abortedBy);
    }
  }

  private Admission judgeFailed(Claim claim, CheckFailure failure) throws SQLException {
    return switch (failure.kind()) {
      case STALE -> {
        CurrentRow row = failure.row(effects.storeId());
        yield told(claim, row, new Admission.Stale(row.last()));
      }
      case UNISSUED -> judgeUnissued(claim, failure.row(effects.storeId()));
      case OTHER_STORE, UNTRUSTED -> throw effects.unusable(failure.sentence());
    };
  }

  /**
   * A condition to be put into the {@code WHERE} of a statement that changes something: it is true
   * if the grant is current, and locks and bounds the transaction as {@link #check} does, without a
   * round trip of its own, and like that until a rollback to a savepoint before it. It takes four
   * parameters: see {@link #bind}. If nothing was changed, {@link #explain} says why.
   */
  public String fragment() {
    return effects.namespace().sql("current-fragment");
  }

  /**
   * Sets the four parameters of the {@link #fragment()}.
   *
   * @param from the number of the first one
   * @param trustLeft how long the lease may still be trusted
   */
  public void bind(PreparedStatement statement, int from, Claim claim, Duration trustLeft)
      throws SQLException {
    requireTrust(trustLeft);
    int next = UserTransaction.bindClaim(statement, from, claim);
    statement.setString(next, UserTransaction.limit(trustLeft));
  }

  /**
   * Says what a check would, without locking: why a statement with the {@link #fragment()} changed
   * nothing. Admitted means that it was not for the lease.
   */
  public Admission explain(Connection connection, Claim claim) throws SQLException {
    return judgeSeen(claim, new UserTransaction(connection, effects.namespace()).see(claim));
  }

  /**
   * Says in the caller's transaction under which leases it acts, as guarded tables ask for. It
   * checks nothing: they do. {@link #change} does so by itself.
   *
   * @return to be closed before the commit; SQLite's tables would else stay open to everybody
   */
  public Brought bring(Connection connection, Claim... claims) throws SQLException {
    UserTransaction transaction = new UserTransaction(connection, effects.namespace());
    return switch (effects.dialect()) {
      case COCKROACHDB -> () -> {};
      case POSTGRESQL -> {
        transaction.bring(claims);
        yield () -> {};
      }
      case SQLITE -> {
        transaction.execute("take-back");
        transaction.bring(claims);
        yield () -> transaction.execute("take-back");
      }
    };
  }

  /** What a transaction has brought, until it is closed. */
  @FunctionalInterface
  public interface Brought extends AutoCloseable {
    @Override
    void close() throws SQLException;
  }

  private Admission judgeSeen(Claim claim, CurrentRow row) throws SQLException {
    return effects.dialect() != Dialect.SQLITE && row.admit(claim) instanceof Admission.Unissued
        ? judgeUnissued(claim, row)
        : judge(claim, row);
  }

  /**
   * Above READ COMMITTED, the caller's transaction may see the store as it was before the grant.
   */
  private Admission judgeUnissued(Claim claim, CurrentRow row) throws SQLException {
    CurrentRow now = effects.see(claim);
    if (!(now.admit(claim) instanceof Admission.Unissued)) {
      throw new SQLTransactionRollbackException(
          "the transaction's snapshot is older than the lease: run the transaction again",
          SERIALIZATION_FAILURE);
    }
    return told(claim, row, now.admit(claim));
  }

  private Admission judge(Claim claim, CurrentRow row) {
    return told(claim, row, row.admit(claim));
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
    return told(claim, row, row.seal(claim));
  }

  @Override
  public Guarantee guarantee() {
    return GUARANTEE;
  }
}
