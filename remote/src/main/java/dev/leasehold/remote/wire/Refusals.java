package dev.leasehold.remote.wire;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Token;
import java.util.Optional;

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
      case "unissued" ->
          new Admission.Unissued(
              members.has("current")
                  ? Optional.of(members.counted("current", Token::new))
                  : Optional.empty());
      default -> throw members.refusal("outcome", "must be stale or unissued");
    };
  }
}
