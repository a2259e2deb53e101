package dev.leasehold.store.jdbc;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.SuspectedRollbacks;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * What the store has on record of a key, as far as a check needs it.
 *
 * @param last the highest token of the key, or what stands for it where the key has no row
 * @param acting the token of the grant that is current, if one is. Silent expiry ends none
 */
record CurrentRow(String storeId, Token last, Optional<Token> acting, long atMillis) {
  private static final int ENDED = 2;

  /** As {@code check-current.sql} and {@code see-current.sql} give it, for any token. */
  static CurrentRow read(ResultSet row) throws SQLException {
    if (!row.next()) {
      throw new StoreUnusableException("the store's own row is missing: run leasehold migrate");
    }
    return readHere(row);
  }

  /** The same of a row that {@code lock-claims.sql} gives, and that is being looked at. */
  static CurrentRow readHere(ResultSet row) throws SQLException {
    long last = row.getLong(1);
    boolean noRow = row.wasNull();
    long granted = row.getLong(2);
    boolean ended = row.wasNull() || row.getInt(3) == ENDED;
    // A revoked or stalled grant leaves a token above it that belongs to nobody.
    boolean current =
        !noRow && !ended && granted == last && new Token(last).incarnation() >= row.getInt(5);
    return new CurrentRow(
        row.getString(4),
        new Token(noRow ? row.getLong(6) : last),
        current ? Optional.of(new Token(last)) : Optional.empty(),
        row.getLong(7));
  }

  /** What {@code lock-current.sql} and {@code begin-effect.sql} give, if the grant is current. */
  static Optional<CurrentRow> readIfActing(ResultSet row, Token brought) throws SQLException {
    return row.next()
        ? Optional.of(new CurrentRow(row.getString(1), brought, Optional.of(brought), 0))
        : Optional.empty();
  }

  Admission admit(Token brought) {
    if (acting.isPresent() && acting.get().equals(brought)) {
      return Admission.ADMITTED;
    }
    return brought.isAbove(last) ? new Admission.Unissued(issued()) : new Admission.Stale(last);
  }

  /** A key without a row stands at the floor of its bucket, which may be nobody's token. */
  private Optional<Token> issued() {
    return last.counter() == 0 ? Optional.empty() : Optional.of(last);
  }

  /** The record is the mark: there is nothing to raise, and void tokens count as issued. */
  Admission seal(Token brought) {
    return brought.equals(last) ? Admission.ADMITTED : admit(brought);
  }

  SuspectedRollbacks.Case suspicion(Claim claim) {
    return new SuspectedRollbacks.Case(claim.key(), claim.token(), last, atMillis);
  }
}
