package dev.leasehold.store.jdbc.effects;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.Optional;

/**
 * Why a guarded table has refused a change. The transaction is over then, and with it anything that
 * the database could have written down of the refusal: whoever catches it records it.
 */
public enum GuardRefusal {
  /** The transaction has brought no token, or another transaction has. */
  NO_TOKEN("LH001"),
  /** The grant is over. */
  STALE("LH002"),
  /** The token is above every one that was issued. */
  UNISSUED("LH003"),
  /** The tokens that were brought are of other leases than the row's. */
  OTHER_LEASE("LH004");

  private final String state;

  GuardRefusal(String state) {
    this.state = state;
  }

  /** What PostgreSQL gives as SQL state, and SQLite as the beginning of its message. */
  public static Optional<GuardRefusal> of(SQLException failure) {
    return Arrays.stream(values())
        .filter(
            refusal ->
                refusal.state.equals(failure.getSQLState())
                    || String.valueOf(failure.getMessage()).contains(refusal.state + ": "))
        .findFirst();
  }
}
