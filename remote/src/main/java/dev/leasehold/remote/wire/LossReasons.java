package dev.leasehold.remote.wire;

import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.LossReason;
import java.util.Optional;

/** Why a grant is over, as JSON: {@code reason}, and the members that belong to it. */
public final class LossReasons {
  private LossReasons() {}

  public static void write(JsonOut out, LossReason reason) {
    out.text("reason", word(reason));
    switch (reason) {
      case LossReason.Superseded(String by, Token token) ->
          out.text("by", by).number("current", token.value());
      case LossReason.Revoked(String by, String why) -> out.text("by", by).text("why", why);
      case LossReason.Unknown(Optional<Token> last) ->
          last.ifPresent(token -> out.number("last", token.value()));
      case LossReason.Broken(String what) -> out.text("why", what);
      default -> {
        // The word alone is complete.
      }
    }
  }

  static String word(LossReason reason) {
    return switch (reason) {
      case LossReason.Superseded r -> "SUPERSEDED";
      case LossReason.Expired r -> "EXPIRED";
      case LossReason.Released r -> "RELEASED";
      case LossReason.Revoked r -> "REVOKED";
      case LossReason.Stalled r -> "STALLED";
      case LossReason.NotHolder r -> "NOT_HOLDER";
      case LossReason.Unknown r -> "UNKNOWN";
      case LossReason.IncarnationAdvanced r -> "INCARNATION_ADVANCED";
      case LossReason.Unreachable r -> "UNREACHABLE";
      case LossReason.OutOfTime r -> "OUT_OF_TIME";
      case LossReason.Broken r -> "BROKEN";
    };
  }

  /** Servers of earlier versions leave out the last token that they know. */
  private static LossReason unknown(Members members) {
    return members.numberIfAny("last").isPresent()
        ? LossReason.Unknown.after(members.counted("last", Token::new))
        : new LossReason.Unknown();
  }

  static LossReason read(Members members) {
    String word = members.text("reason");
    return switch (word) {
      case "SUPERSEDED" ->
          new LossReason.Superseded(members.text("by"), members.counted("current", Token::new));
      case "EXPIRED" -> new LossReason.Expired();
      case "RELEASED" -> new LossReason.Released();
      case "REVOKED" -> new LossReason.Revoked(members.text("by"), members.text("why"));
      case "STALLED" -> new LossReason.Stalled();
      case "NOT_HOLDER" -> new LossReason.NotHolder();
      case "UNKNOWN" -> unknown(members);
      case "INCARNATION_ADVANCED" -> new LossReason.IncarnationAdvanced();
      case "UNREACHABLE" -> new LossReason.Unreachable();
      case "OUT_OF_TIME" -> new LossReason.OutOfTime();
      case "BROKEN" -> new LossReason.Broken(members.text("why"));
      default -> throw members.refusal("reason", "no such reason is known");
    };
  }
}
