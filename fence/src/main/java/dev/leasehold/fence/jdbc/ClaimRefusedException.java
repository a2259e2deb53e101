package dev.leasehold.fence.jdbc;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import java.sql.SQLNonTransientException;
import org.jspecify.annotations.Nullable;

/**
 * A check in the caller's own transaction has refused the claim: the transaction is to be rolled
 * back, and to run it again does not help. A server has aborted the transaction already. SQLite
 * cannot, so there the caller must not commit.
 *
 * <p>It is an {@link java.sql.SQLException}, since code around a transaction rolls back on those,
 * frameworks included, and since it is a checked one: a refusal that is returned is ignored by a
 * caller that forgets to look, and then its change is committed.
 */
public final class ClaimRefusedException extends SQLNonTransientException {
  private static final long serialVersionUID = 1L;

  private final String target;
  private final transient Claim claim;
  private final transient Admission.Refused refused;

  /**
   * For fences.
   *
   * @param abortedBy the error by which the database has aborted the transaction, if it has
   */
  public ClaimRefusedException(
      String target, Claim claim, Admission.Refused refused, @Nullable Throwable abortedBy) {
    super(sentence(target, claim, refused), state(refused), abortedBy);
    this.target = target;
    this.claim = claim;
    this.refused = refused;
  }

  static String sentence(String target, Claim claim, Admission.Refused refused) {
    String why =
        switch (refused) {
          case Admission.Stale stale when stale.current().equals(claim.token()) ->
              "is stale: its grant has ended. Stop, and acquire the lease again";
          case Admission.Stale stale ->
              "is stale, and the latest is "
                  + stale.current()
                  + ": stop, and acquire the lease again";
          case Admission.Unissued unissued
              when unissued.bound().filter(claim.token()::equals).isPresent() ->
              "was not issued to this instance: if it was, the store has lost writes";
          case Admission.Unissued unissued ->
              "was never issued: if it was, the store has lost writes";
        };
    return "'"
        + target
        + "' refuses token "
        + claim.token()
        + " of "
        + claim.key()
        + ", which "
        + why;
  }

  /** As guarded tables and checks in the database give it. */
  private static String state(Admission.Refused refused) {
    return switch (refused) {
      case Admission.Stale stale -> "LH002";
      case Admission.Unissued unissued -> "LH003";
    };
  }

  /** What was to be changed. */
  public String target() {
    return target;
  }

  public Claim claim() {
    return claim;
  }

  /** Why. */
  public Admission.Refused refused() {
    return refused;
  }
}
