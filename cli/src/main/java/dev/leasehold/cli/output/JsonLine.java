package dev.leasehold.cli.output;

import dev.leasehold.remote.wire.Json;
import dev.leasehold.remote.wire.JsonOut;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * One JSON object on one line. Everything but visible ASCII is escaped, so that no terminal and no
 * encoding can garble it.
 */
public final class JsonLine {
  private JsonLine() {}

  public static String of(Consumer<JsonOut> members) {
    String text = new String(Json.write(members), StandardCharsets.UTF_8);
    StringBuilder line = new StringBuilder(text.length());
    text.chars().forEach(c -> line.append(visible((char) c)));
    return line.toString();
  }

  private static String visible(char c) {
    if (c >= ' ' && c <= '~') {
      return String.valueOf(c);
    }
    // Strings contain no unescaped control characters, so these only separate the members of a
    // payload.
    boolean isSpace = c == '\n' || c == '\r' || c == '\t';
    return isSpace ? " " : String.format(Locale.ROOT, "\\u%04x", (int) c);
  }
}
