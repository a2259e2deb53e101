package dev.leasehold.fence.jdbc;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import java.sql.SQLNonTransientException;
import org.jspecify.annotations.Nullable;

/**
 * A check in the caller's own transaction has refused the claim: the caller must roll back, and
 * running the transaction again does not help. A database server has already aborted it. SQLite
 * cannot, so there the caller must not commit.
 *
 * <p>It is an {@link java.sql.SQLException}, because code around transactions, frameworks included,
 * rolls back on those. It is a checked exception and not a return value, because a caller that
 * forgot to look at a return value would commit its change.
 */
public final class ClaimRefusedException extends SQLNonTransientException {
  private static final long serialVersionUID = 1L;

  private final String target;
  private final transient Claim claim;
  private final transient Admission.Refused refused;

  /**
   * Called by fences.
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

  /** The SQL state that guarded tables and checks in the database also use. */
  private static String state(Admission.Refused refused) {
    return switch (refused) {
      case Admission.Stale stale -> "LH002";
      case Admission.Unissued unissued -> "LH003";
    };
  }

  /** The target of the change. */
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
