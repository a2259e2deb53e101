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
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Changes in the leases' own database, each in one transaction with the check that its grant is
 * current. The check locks: until the transaction ends, no other transaction can end or replace the
 * grant, while renewals go on. So a change takes effect only under a grant that is current when it
 * is committed.
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
 * <p>{@link #change} uses a connection of its own. In the caller's own transaction, call {@link
 * #check} before the commit, or put {@link #fragment()} into the statement itself. Either way the
 * server ends the transaction when the trust runs out, so that a stopped process does not block a
 * takeover for longer. Call the check before any savepoint, or again after a rollback to one: the
 * rollback releases the lock.
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
   * Makes a change under a lease or a term of leadership that this process holds, for as long as it
   * can be trusted.
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
   * <p>It costs one round trip more than the change alone, and must finish within the remaining
   * trust: a server ends the transaction at that time, so that a stopped process does not prevent a
   * takeover. (PostgreSQL before 17 ends a transaction whose statement hangs or whose client is
   * silent for that long, but not one that keeps sending statements.) On SQLite the change blocks
   * every other writer, renewals included, and may therefore last at most 2 s or a sixth of the
   * shortest ttl. A process that is stopped there blocks them until it continues.
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
   * Checks in the caller's transaction that a lease or a term of leadership that this process holds
   * is current, and limits the transaction to its trust; see {@link #check(Connection, Claim,
   * Duration)}.
   *
   * @throws dev.leasehold.kernel.LeaseLostException if it is over already; then a server has also
   *     aborted the transaction
   */
  public void check(Connection connection, Holding held) throws SQLException {
    check(connection, held.claim(), held.trust(), held::ensureHeld);
  }

  /**
   * Checks in the caller's transaction. The lock lasts until the transaction ends, or until a
   * rollback to a savepoint from before the check; after such a rollback, check again. The
   * connection must be to the database of the leases.
   *
   * <p>A refusal is an error inside the statement, so a server aborts the transaction: no change in
   * it is committed, earlier or later, even if the caller catches the exception. SQLite does not
   * abort it: there the caller must roll back. This method never rolls back a user's connection.
   *
   * <p>In the same round trip it sets, for this transaction, {@code
   * idle_in_transaction_session_timeout}, {@code statement_timeout} and, from PostgreSQL 17 on,
   * {@code transaction_timeout} to the remaining trust, unless they are lower. On SQLite the
   * transaction of a stopped process does not end.
   *
   * @param trustLeft how long the lease may still be trusted
   * @throws ClaimRefusedException if the claim's grant is not current; the refusal is recorded in
   *     the trail and in the audit
   * @throws IllegalStateException if there is no transaction: the lock would be released at once
   * @throws SQLException also with SQL state 40001, above READ COMMITTED, if the transaction's
   *     snapshot is older than the lease: run it again
   */
  public void check(Connection connection, Claim claim, Duration trustLeft) throws SQLException {
    check(connection, claim, trustLeft, () -> {});
  }

  private void check(Connection connection, Claim claim, Duration trustLeft, Runnable ensureTrusted)
      throws SQLException {
    UserTransaction transaction = UserTransaction.on(connection, effects.namespace());
    if (!effects.dialect().abortsOnFailure()) {
      ensureTrusted.run();
      requireTrust(trustLeft);
      refuseIn(claim, judgeSeen(claim, transaction.lockAndSee(claim)), null);
      return;
    }
    Optional<Duration> trusted = Optional.of(trustLeft).filter(Duration::isPositive);
    try {
      transaction.checkOrAbort(
          claim, new UserTransaction.CheckRequest(effects.usableId(), trusted));
    } catch (SQLException e) {
      Optional<CheckFailure> failure = CheckFailure.of(e);
      if (failure.isEmpty()) {
        throw e;
      }
      // From here on the transaction is aborted, whichever exception is thrown.
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
   * A condition for the {@code WHERE} of a statement that changes something. It is true if the
   * grant is current, and locks and limits the transaction as {@link #check} does, without a round
   * trip of its own; a rollback to an earlier savepoint undoes it in the same way. It takes four
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
   * Gives the result of a check, without locking, to explain why a statement with the {@link
   * #fragment()} changed nothing. Admitted means that the lease was not the reason.
   */
  public Admission explain(Connection connection, Claim claim) throws SQLException {
    return judgeSeen(claim, new UserTransaction(connection, effects.namespace()).see(claim));
  }

  /**
   * Declares in the caller's transaction the leases that it acts under, as guarded tables require.
   * It checks nothing: the tables do. {@link #change} calls it by itself.
   *
   * @return to be closed before the commit; otherwise SQLite's guarded tables would stay open to
   *     every writer
   */
  public Brought bring(Connection connection, Claim... claims) throws SQLException {
    UserTransaction transaction = new UserTransaction(connection, effects.namespace());
    return switch (effects.dialect().guarding()) {
      case NOT_AT_ALL -> () -> {};
      case BY_PROCEDURE -> {
        transaction.bring(claims);
        yield () -> {};
      }
      case BY_TEXT -> {
        transaction.execute("take-back");
        transaction.bring(claims);
        yield () -> transaction.execute("take-back");
      }
    };
  }

  /** The claims that a transaction has declared, until it is closed. */
  @FunctionalInterface
  public interface Brought extends AutoCloseable {
    @Override
    void close() throws SQLException;
  }

  private Admission judgeSeen(Claim claim, CurrentRow row) throws SQLException {
    return !effects.dialect().hasOneWriter() && row.admit(claim) instanceof Admission.Unissued
        ? judgeUnissued(claim, row)
        : judge(claim, row);
  }

  /** Above READ COMMITTED, the caller's transaction may see the store's state before the grant. */
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

  /** The record is the mark, so a successor's acquire has already waited for changes in flight. */
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
