package dev.leasehold.fence.jdbc;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The trail beside the marks: the latest refusals and resets of one target. */
final class MarkTrail {
  static final int KEPT = 1_000;
  private static final int TRIM_EVERY = 100;

  // Starts so that the first refusal of a process trims too, since processes may be short-lived.
  private final AtomicInteger added = new AtomicInteger();

  void addRefusal(Marks marks, Claim claim, Admission.Refused refused) throws SQLException {
    MarkEvent.What what =
        switch (refused) {
          case Admission.Stale stale -> MarkEvent.What.STALE;
          case Admission.Unissued unissued -> MarkEvent.What.UNISSUED;
        };
    marks.update(
        "insert-trail",
        marks.target(),
        claim.key().text(),
        text(what),
        claim.token().value(),
        value(refused.bound()),
        claim.who(),
        "");
    if (added.getAndIncrement() % TRIM_EVERY == 0) {
      marks.update("trim-trail", marks.target(), marks.target(), KEPT);
    }
  }

  static void addReset(Marks marks, LeaseKey key, Optional<Token> stood, Reset reset)
      throws SQLException {
    marks.update(
        "insert-trail",
        marks.target(),
        key.text(),
        text(MarkEvent.What.RESET),
        null,
        value(stood),
        reset.by(),
        reset.why());
  }

  /** The operator who reset a mark, and the reason. */
  record Reset(String by, String why) {}

  private static String text(MarkEvent.What what) {
    return what.name().toLowerCase(Locale.ROOT);
  }

  private static @Nullable Long value(Optional<Token> token) {
    return token.map(Token::value).orElse(null);
  }

  static List<MarkEvent> newestFirst(Marks marks, int limit) throws SQLException {
    try (PreparedStatement statement = marks.prepare("trail", marks.target(), limit);
        ResultSet rows = statement.executeQuery()) {
      List<MarkEvent> events = new ArrayList<>();
      while (rows.next()) {
        events.add(
            new MarkEvent(
                new LeaseKey(rows.getString("key")),
                MarkEvent.What.valueOf(rows.getString("what").toUpperCase(Locale.ROOT)),
                Marks.token(rows, 3),
                Marks.token(rows, 4),
                rows.getString("who"),
                rows.getString("why"),
                Instant.ofEpochMilli(rows.getLong("at"))));
      }
      return events;
    }
  }
}
