package dev.leasehold.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** One JSON object, written on one line, its members in the order in which they were added. */
final class Json {
  private final Map<String, String> members = new LinkedHashMap<>();

  Json with(String name, String value) {
    return raw(name, quote(value));
  }

  Json with(String name, long value) {
    return raw(name, Long.toString(value));
  }

  /** Left out where there is none. */
  Json with(String name, OptionalLong value) {
    return value.isPresent() ? with(name, value.getAsLong()) : this;
  }

  Json with(String name, Json value) {
    return raw(name, value.toString());
  }

  Json with(String name, List<Json> values) {
    return raw(
        name, values.stream().map(Json::toString).collect(Collectors.joining(",", "[", "]")));
  }

  /** In the order of names, so that the same value is always the same text. */
  Json with(String name, Map<String, String> values) {
    Json object = new Json();
    new TreeMap<>(values).forEach(object::with);
    return with(name, object);
  }

  private Json raw(String name, String value) {
    members.put(name, value);
    return this;
  }

  @Override
  public String toString() {
    return members.entrySet().stream()
        .map(member -> quote(member.getKey()) + ":" + member.getValue())
        .collect(Collectors.joining(",", "{", "}"));
  }

  /** Everything but visible ASCII is escaped: no terminal and no encoding can garble it. */
  private static String quote(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c >= ' ' && c <= '~') {
        quoted.append(c);
      } else {
        quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      }
    }
    return quoted.append('"').toString();
  }
}
