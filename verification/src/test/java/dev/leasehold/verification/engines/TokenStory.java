package dev.leasehold.verification.engines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Changed;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.Token;
import dev.leasehold.fence.jdbc.JdbcFence;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * One holder after another, each with a token from one issuer, and a target in a database that the
 * issuer's misfortunes do not affect. A holder that is followed becomes a zombie: it still has its
 * token.
 */
final class TokenStory {
  /** Issues the tokens of one key. */
  interface Issuer {
    Claim grant() throws Exception;
  }

  private final Issuer issuer;
  private final JdbcFence fence;
  private final Database target;

  TokenStory(Issuer issuer, JdbcFence fence, Database target) {
    this.issuer = issuer;
    this.fence = fence;
    this.target = target;
  }

  /** Creates the target's tables, once. */
  static void prepare(Database target) throws SQLException {
    try (Connection connection = target.connect()) {
      JdbcFence.createTables(connection);
    }
    target.execute("CREATE TABLE written (seq serial, target text, token bigint, who text)");
  }

  /** The next holder acquires the key, seals its target, and writes. */
  Claim next(String who) throws Exception {
    Claim claim = issuer.grant().by(who);
    assertThat(fence.seal(claim)).isEqualTo(Admission.ADMITTED);
    assertThat(write(claim)).isInstanceOf(Changed.Made.class);
    return claim;
  }

  Changed<Integer> write(Claim claim) throws SQLException {
    return fence.change(claim, connection -> insert(connection, claim));
  }

  private Integer insert(Connection connection, Claim claim) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO written (target, token, who) VALUES (?, ?, ?)")) {
      insert.setString(1, fence.target());
      insert.setLong(2, claim.token().value());
      insert.setString(3, claim.who());
      return insert.executeUpdate();
    }
  }

  /** The holders that have written, in order. */
  List<String> writers() {
    return target.query(
        row -> row.getString(1),
        "SELECT who FROM written WHERE target = ? ORDER BY seq",
        fence.target());
  }

  /** The target's mark, as an operator finds it. */
  Token mark() {
    return new Token(
        target
            .query(
                row -> row.getLong(1),
                "SELECT max(token) FROM leasehold_mark WHERE target = ?",
                fence.target())
            .getFirst());
  }
}
