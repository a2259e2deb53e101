package dev.leasehold.fence.jdbc;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The marks of one target, on one connection: each method runs one statement or two. */
record Marks(MarkDialect dialect, String target, Connection connection) {

  /** The mark of a key, and the token of an announced seal that will raise it. */
  record Standing(Optional<Token> mark, boolean above, Optional<Token> coming) {
    boolean isAt(Token token) {
      return mark.isPresent() && mark.get().equals(token);
    }

    /**
     * The refusal, if the token may not change anything. The mark of a void token refuses that
     * token too.
     */
    Optional<Admission.Refused> refuses(Token token) {
      return isAt(token) && above ? Optional.of(new Admission.Stale(token)) : outranks(token);
    }

    Optional<Admission.Refused> outranks(Token token) {
      return highest().filter(token::isBelow).map(Admission.Stale::new);
    }

    private Optional<Token> highest() {
      return mark.isPresent() && coming.isPresent() && mark.get().isBelow(coming.get())
          ? coming
          : mark.or(() -> coming);
    }
  }

  /** Begins the transaction; on SQLite it takes the write lock at once. */
  void begin() throws SQLException {
    if (dialect == MarkDialect.SQLITE) {
      update("begin");
    }
  }

  /**
   * How long a transaction that has locked a mark may be idle and, if limited, how long its
   * statements and the whole of it may last. A lower limit of the connection stays.
   */
  record Bounds(long pauseMillis, OptionalLong mostMillis) {
    /** The same, also limited by how long the lease may still be trusted. */
    Bounds within(Duration trustLeft) {
      if (!trustLeft.isPositive()) {
        throw new IllFormedException(
            "a change needs a lease that can still be trusted; trustLeft is " + trustLeft);
      }
      long millis = Math.clamp(trustLeft.toMillis(), 1, Integer.MAX_VALUE);
      return new Bounds(Math.min(millis, pauseMillis), OptionalLong.of(millis));
    }

    private static String millis(long number) {
      return number + "ms";
    }

    private String pause() {
      return millis(pauseMillis);
    }

    private @Nullable String most() {
      return mostMillis.isPresent() ? millis(mostMillis.getAsLong()) : null;
    }
  }

  /**
   * Locks the mark if it is at the token, so that it stays there until this transaction ends; false
   * if it is not. The server ends the transaction if it exceeds the bounds.
   */
  boolean join(Claim claim, Bounds bounds) throws SQLException {
    try (PreparedStatement statement =
            prepare(
                "join",
                bounds.pause(),
                bounds.most(),
                target,
                claim.key().text(),
                claim.token().value());
        ResultSet rows = statement.executeQuery()) {
      return rows.next();
    }
  }

  Standing read(LeaseKey key) throws SQLException {
    String text = key.text();
    try (PreparedStatement statement = prepare("read", target, text, target, text, target, text);
        ResultSet rows = statement.executeQuery()) {
      if (!rows.next()) {
        throw new SQLException("a question for three values was answered without a row");
      }
      return new Standing(token(rows, 1), rows.getBoolean(2), token(rows, 3));
    }
  }

  static Optional<Token> token(ResultSet rows, int column) throws SQLException {
    long value = rows.getLong(column);
    return rows.wasNull() ? Optional.empty() : Optional.of(new Token(value));
  }

  /**
   * Raises the mark if it is lower, and waits for changes in progress; false if it was not lower.
   */
  boolean raise(Claim claim, boolean above) throws SQLException {
    return update("raise", target, claim.key().text(), claim.token().value(), above) == 1;
  }

  /** Announces a seal: once this is committed, no change with a lower token begins. */
  void announce(Claim claim) throws SQLException {
    update("announce", target, claim.key().text(), claim.token().value());
  }

  /** Removes the announcement, since the mark has been raised. */
  void arrive(Claim claim) throws SQLException {
    update("arrive", target, claim.key().text(), claim.token().value());
  }

  void delete(LeaseKey key) throws SQLException {
    update("delete-mark", target, key.text());
    update("delete-coming", target, key.text());
  }

  /**
   * Limits how long this transaction waits for a lock and how long it may be idle: the server ends
   * it after that. This comes first, since a process can be stopped after any statement.
   *
   * @return the previous limit of waits
   */
  String bound(long waitMillis, Bounds bounds) throws SQLException {
    return ask("bound", Bounds.millis(waitMillis), bounds.pause());
  }

  void boundWait(String wait) throws SQLException {
    String unused = ask("bound-wait", wait);
  }

  /**
   * Makes the server abort the transaction, by a statement that fails with this message. SQLite
   * cannot do that.
   */
  Optional<SQLException> abort(String sentence) {
    if (dialect == MarkDialect.SQLITE) {
      return Optional.empty();
    }
    try {
      String unused = ask("refuse", sentence);
      return Optional.empty();
    } catch (SQLException e) {
      return Optional.of(e);
    }
  }

  private String ask(String name, String... values) throws SQLException {
    try (PreparedStatement statement = prepare(name, (Object[]) values);
        ResultSet rows = statement.executeQuery()) {
      return rows.next() ? rows.getString(1) : "";
    }
  }

  int update(String name, @Nullable Object... values) throws SQLException {
    try (PreparedStatement statement = prepare(name, values)) {
      return statement.executeUpdate();
    }
  }

  PreparedStatement prepare(String name, @Nullable Object... values) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(dialect.sql(name));
    try {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      return statement;
    } catch (SQLException e) {
      statement.close();
      throw e;
    }
  }
}
