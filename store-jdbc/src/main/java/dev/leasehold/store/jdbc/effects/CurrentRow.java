package dev.leasehold.store.jdbc.effects;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.spi.SuspectedRollbacks;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The store's record of a key, as far as a check needs it.
 *
 * @param last the highest token of the key or, if the key has no row, the token that its floor
 *     implies
 * @param grant the last grant on record, ended or not
 */
public record CurrentRow(String storeId, Token last, Optional<LastGrant> grant, long atMillis) {
  private static final int ENDED = 2;

  /**
   * A grant as its row stores it.
   *
   * @param acts whether it is current; expiry alone does not end a grant
   */
  record LastGrant(Token token, String instanceId, boolean acts) {}

  /** By a statement such as {@code check-current.sql}, for any token. */
  static CurrentRow find(StoreConnection connection, String statement, Object... values)
      throws SQLException {
    return connection
        .first(CurrentRow::read, statement, values)
        .orElseThrow(StoreUnusableException::unmigrated);
  }

  /** Reads a row of {@code lock-claims.sql}, or of a statement that gives the same columns. */
  static CurrentRow read(ResultSet row) throws SQLException {
    long last = row.getLong(1);
    boolean noRow = row.wasNull();
    return new CurrentRow(
        row.getString(4),
        new Token(noRow ? row.getLong(6) : last),
        noRow ? Optional.empty() : grant(row, last),
        row.getLong(7));
  }

  private static Optional<LastGrant> grant(ResultSet row, long last) throws SQLException {
    long granted = row.getLong(2);
    if (row.wasNull()) {
      return Optional.empty();
    }
    // A revoked or stalled grant leaves a token above it that belongs to no grant.
    boolean acts =
        granted == last && row.getInt(3) != ENDED && new Token(last).incarnation() >= row.getInt(5);
    return Optional.of(new LastGrant(new Token(granted), row.getString(8), acts));
  }

  /** Of the row of {@code begin-effect.sql}, which is there if the grant is current. */
  static CurrentRow acting(String storeId, Claim claim) {
    LastGrant acting = new LastGrant(claim.token(), claim.instanceId().orElse(""), true);
    return new CurrentRow(storeId, claim.token(), Optional.of(acting), 0);
  }

  public Admission admit(Claim claim) {
    Token brought = claim.token();
    Optional<LastGrant> its = grant.filter(found -> found.token().equals(brought));
    if (its.isPresent() && !claim.isOfInstance(its.get().instanceId())) {
      return new Admission.Unissued(Optional.of(last));
    }
    if (its.isPresent() && its.get().acts()) {
      return Admission.ADMITTED;
    }
    return brought.isAbove(last) ? new Admission.Unissued(issued()) : new Admission.Stale(last);
  }

  /** For a key without a row, the token is its bucket's floor, which may belong to no grant. */
  private Optional<Token> issued() {
    return last.counter() == 0 ? Optional.empty() : Optional.of(last);
  }

  /** The record is the mark: there is nothing to raise, and void tokens count as issued. */
  Admission seal(Claim claim) {
    Admission answer = admit(claim);
    return claim.token().equals(last) && answer instanceof Admission.Stale
        ? Admission.ADMITTED
        : answer;
  }

  SuspectedRollbacks.Case suspicion(Claim claim) {
    return new SuspectedRollbacks.Case(claim.key(), claim.token(), last, atMillis);
  }
}
