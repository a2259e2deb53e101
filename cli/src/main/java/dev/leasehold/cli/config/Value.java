package dev.leasehold.cli.config;

import dev.leasehold.fence.IllFormedException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The values of a setting.
 *
 * @param label stands for the value in a usage line, and names its unit
 * @param expected the message about a wrong value
 * @param words all possible values, if there are few
 */
public record Value(String label, String expected, List<String> words, Predicate<String> fits) {
  static final String NONE = "none";

  private static final Pattern DURATION = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");
  private static final String DURATIONS = "a duration, written 500ms, 30s, 5m or 1h";

  static Value any(String label) {
    return new Value(label, "some text", List.of(), text -> !text.isEmpty());
  }

  static Value oneOf(String... words) {
    List<String> all = List.of(words);
    return new Value(String.join("|", all), String.join(" or ", all), all, all::contains);
  }

  static Value duration() {
    return new Value("D", DURATIONS, List.of(), text -> DURATION.matcher(text).matches());
  }

  static Value durationOrNone() {
    return new Value(
        "D|none",
        DURATIONS + ", or none",
        List.of(),
        text -> text.equals(NONE) || DURATION.matcher(text).matches());
  }

  static Value number(String unit, int least, int most) {
    return new Value(
        unit.toUpperCase(java.util.Locale.ROOT),
        "a number of " + unit + " from " + least + " to " + most,
        List.of(),
        text ->
            text.matches("[0-9]{1,9}")
                && Integer.parseInt(text) >= least
                && Integer.parseInt(text) <= most);
  }

  static Value address() {
    return new Value("HOST:PORT", ListenAddress.EXPECTED, List.of(), ListenAddress::isOne);
  }

  /** The fault of this text, if it has one. */
  Optional<String> complaint(String text) {
    return fits.test(text)
        ? Optional.empty()
        : Optional.of("is " + expected + ", not '" + text + "'");
  }

  /** Parses a duration. */
  public static Duration duration(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      throw new IllFormedException("a duration is written 500ms, 30s, 5m or 1h");
    }
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(number);
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      default -> Duration.ofHours(number);
    };
  }
}
