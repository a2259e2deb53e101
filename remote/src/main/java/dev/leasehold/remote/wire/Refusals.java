package dev.leasehold.remote.wire;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Token;

/** Why a token was refused: {@code outcome}, and what the token was compared with. */
public final class Refusals {
  private Refusals() {}

  public static String word(Admission.Refused why) {
    return switch (why) {
      case Admission.Stale stale -> "stale";
      case Admission.Unissued unissued -> "unissued";
    };
  }

  public static void write(JsonOut out, Admission.Refused why) {
    writeDetails(out.text("outcome", word(why)), why);
  }

  static void writeDetails(JsonOut out, Admission.Refused why) {
    why.bound().ifPresent(bound -> out.number("current", bound.value()));
  }

  static Admission.Refused read(Members members) {
    return switch (members.text("outcome")) {
      case "stale" -> new Admission.Stale(members.counted("current", Token::new));
      case "unissued" -> new Admission.Unissued(members.countedIfAny("current", Token::new));
      default -> throw members.refusal("outcome", "must be stale or unissued");
    };
  }
}
