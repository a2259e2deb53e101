package dev.leasehold.store.jdbc.effects;

import dev.leasehold.fence.Token;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Why {@code check-in-transaction.sql} failed: PostgreSQL gives a SQL state, CockroachDB a message
 * that begins with it.
 */
record CheckFailure(Kind kind, String sentence) {
  private static final Pattern LATEST =
      Pattern.compile("the latest is (\\d+), at store time (\\d+)");

  /** Why the check failed. */
  enum Kind {
    STALE("LH002"),
    UNISSUED("LH003"),
    OTHER_STORE("LH006"),
    UNTRUSTED("LH007");

    private final String state;

    Kind(String state) {
      this.state = state;
    }
  }

  /** Empty if the database has failed for another reason. */
  static Optional<CheckFailure> of(SQLException failure) {
    String text = String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    return Arrays.stream(Kind.values())
        .filter(
            kind -> kind.state.equals(failure.getSQLState()) || text.contains(kind.state + ": "))
        .map(kind -> new CheckFailure(kind, text))
        .findFirst();
  }

  /** The store's record at the time of the refusal. */
  CurrentRow row(String storeId) {
    Matcher matcher = LATEST.matcher(sentence);
    if (!matcher.find()) {
      throw new IllegalStateException("a check was refused without the latest token: " + sentence);
    }
    return new CurrentRow(
        storeId,
        new Token(Long.parseLong(matcher.group(1))),
        Optional.empty(),
        Long.parseLong(matcher.group(2)));
  }
}
