package dev.leasehold.store.jdbc.leases;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LossReason;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a grant ended, as columns: a word, and its details. */
public record Reasons(
    String word, @Nullable String by, @Nullable String why, @Nullable Long token) {

  static Reasons of(LossReason reason) {
    return switch (reason) {
      case LossReason.Superseded r -> new Reasons("SUPERSEDED", r.by(), null, r.token().value());
      case LossReason.Expired r -> word("EXPIRED");
      case LossReason.Released r -> word("RELEASED");
      case LossReason.Revoked r -> new Reasons("REVOKED", r.by(), r.why(), null);
      case LossReason.Stalled r -> word("STALLED");
      case LossReason.IncarnationAdvanced r -> word("INCARNATION_ADVANCED");
      case LossReason.NotHolder r -> throw neverKept(r);
      case LossReason.Unknown r -> throw neverKept(r);
      case LossReason.Unreachable r -> throw neverKept(r);
      case LossReason.OutOfTime r -> throw neverKept(r);
      case LossReason.Broken r -> throw neverKept(r);
    };
  }

  private static IllegalArgumentException neverKept(LossReason reason) {
    return new IllegalArgumentException("no grant on record ends as " + reason);
  }

  private static Reasons word(String word) {
    return new Reasons(word, null, null, null);
  }

  /** Reads four columns from this one on. */
  public static LossReason read(ResultSet row, int from) throws SQLException {
    String by = Optional.ofNullable(row.getString(from + 1)).orElse("");
    String why = Optional.ofNullable(row.getString(from + 2)).orElse("");
    return read(row.getString(from), by, why, row.getLong(from + 3));
  }

  public static LossReason read(String word, String by, String why, long token) {
    return switch (word) {
      case "SUPERSEDED" -> new LossReason.Superseded(by, new Token(token));
      case "EXPIRED" -> new LossReason.Expired();
      case "RELEASED" -> new LossReason.Released();
      case "REVOKED" -> new LossReason.Revoked(by, why);
      case "STALLED" -> new LossReason.Stalled();
      case "INCARNATION_ADVANCED" -> new LossReason.IncarnationAdvanced();
      default -> throw new IllegalStateException("a grant on record ended as " + word);
    };
  }
}
