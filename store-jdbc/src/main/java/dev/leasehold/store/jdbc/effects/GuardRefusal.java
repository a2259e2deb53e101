package dev.leasehold.store.jdbc.effects;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.Optional;

/**
 * Why a guarded table has refused a change. The refusal ends the transaction, so the database
 * cannot record it: the application that catches it does.
 */
public enum GuardRefusal {
  /** The transaction has brought no token, or a different transaction has brought it. */
  NO_TOKEN("LH001"),
  /** The grant is over. */
  STALE("LH002"),
  /** The token is above every issued one. */
  UNISSUED("LH003"),
  /** The tokens that the transaction has brought are of other leases than the row's. */
  OTHER_LEASE("LH004");

  private final String state;

  GuardRefusal(String state) {
    this.state = state;
  }

  /** PostgreSQL gives the code as SQL state, SQLite as the beginning of its message. */
  public static Optional<GuardRefusal> of(SQLException failure) {
    return Arrays.stream(values())
        .filter(
            refusal ->
                refusal.state.equals(failure.getSQLState())
                    || String.valueOf(failure.getMessage()).contains(refusal.state + ": "))
        .findFirst();
  }
}
