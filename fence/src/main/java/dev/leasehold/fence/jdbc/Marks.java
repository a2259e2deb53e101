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

/** The marks of one target, over one connection: a method a statement, or two. */
record Marks(MarkDialect dialect, String target, Connection connection) {

  /** Where the mark of a key stands, and where a seal that still waits will put it. */
  record Standing(Optional<Token> mark, boolean above, Optional<Token> coming) {
    boolean isAt(Token token) {
      return mark.isPresent() && mark.get().equals(token);
    }

    /** Why the token may not change anything, if so. A void token's own mark refuses it too. */
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

  /** On SQLite, the transaction gets the write lock now or not at all. */
  void begin() throws SQLException {
    if (dialect == MarkDialect.SQLITE) {
      update("begin");
    }
  }

  /**
   * How long a transaction with a mark locked may be silent, and if it has a limit, how long its
   * statements and it itself may last. A lower limit of the connection's own stays.
   */
  record Bounds(long pauseMillis, OptionalLong mostMillis) {
    /** The same, and by how long a lease may still be trusted. */
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
   * Whether the mark stands at the token; if so, it stays there until this transaction ends. The
   * server ends the transaction if it exceeds the bounds.
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

  /** Waits for changes under way, if the mark is below; false: it was not. */
  boolean raise(Claim claim, boolean above) throws SQLException {
    return update("raise", target, claim.key().text(), claim.token().value(), above) == 1;
  }

  /** No change with a lower token begins from the commit of this on. */
  void announce(Claim claim) throws SQLException {
    update("announce", target, claim.key().text(), claim.token().value());
  }

  /** What was announced has come. */
  void arrive(Claim claim) throws SQLException {
    update("arrive", target, claim.key().text(), claim.token().value());
  }

  void delete(LeaseKey key) throws SQLException {
    update("delete-mark", target, key.text());
    update("delete-coming", target, key.text());
  }

  /**
   * Bounds each wait of this transaction for a lock, and each of its pauses: the server ends it
   * after a longer one. First of all, since a process can be stopped after any statement.
   *
   * @return how waits were bounded before
   */
  String bound(long waitMillis, Bounds bounds) throws SQLException {
    return ask("bound", Bounds.millis(waitMillis), bounds.pause());
  }

  void boundWait(String wait) throws SQLException {
    String unused = ask("bound-wait", wait);
  }

  /**
   * Has the server abort the transaction, by a statement that fails with this sentence. SQLite has
   * nothing of the kind.
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
