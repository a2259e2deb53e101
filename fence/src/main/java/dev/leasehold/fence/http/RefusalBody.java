package dev.leasehold.fence.http;

import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Token;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the two members of a refusal, {@code outcome} and {@code current}. It is not a general JSON
 * parser: it reads the members of a flat object, and takes anything else for another answer than a
 * refusal.
 */
final class RefusalBody {
  private static final String STRING = "\"((?:[^\"\\\\]|\\\\.)*+)\"";
  private static final Pattern MEMBER =
      Pattern.compile(
          "\\s*"
              + STRING
              + "\\s*:\\s*(?:"
              + STRING
              + "|(-?[0-9.eE+-]+|true|false|null))\\s*(,|}\\s*$)",
          Pattern.DOTALL);

  private RefusalBody() {}

  /** The refusal; empty if the body is something else. */
  static Optional<Admission.Refused> read(byte[] body) {
    String text = new String(body, StandardCharsets.UTF_8).strip();
    if (!text.startsWith("{")) {
      return Optional.empty();
    }
    Optional<String> outcome = Optional.empty();
    Optional<Token> current = Optional.empty();
    Matcher member = MEMBER.matcher(text).region(1, text.length());
    while (member.lookingAt()) {
      switch (member.group(1)) {
        case "outcome" -> outcome = Optional.ofNullable(member.group(2));
        case "current" -> current = token(member.group(3));
        default -> {
          // For people.
        }
      }
      if (member.end() == text.length()) {
        return refusal(outcome.orElse(""), current);
      }
      member.region(member.end(), text.length());
    }
    return Optional.empty();
  }

  private static Optional<Token> token(@Nullable String number) {
    boolean isOne =
        number != null
            && number.matches("[1-9][0-9]{0,15}")
            && Long.parseLong(number) <= Token.HIGHEST.value();
    return isOne ? Optional.of(new Token(Long.parseLong(number))) : Optional.empty();
  }

  private static Optional<Admission.Refused> refusal(String outcome, Optional<Token> current) {
    return switch (outcome) {
      case "stale" -> current.map(Admission.Stale::new);
      case "unissued" -> Optional.of(new Admission.Unissued(current));
      default -> Optional.empty();
    };
  }
}
