package dev.leasehold.store.jdbc.leases;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A holder's attributes as text. Each line has a name, a space and a value. */
final class Attributes {
  private Attributes() {}

  static String text(Map<String, String> attributes) {
    if (attributes.isEmpty()) {
      return "";
    }
    return new TreeMap<>(attributes)
        .entrySet().stream()
            .map(entry -> entry.getKey() + " " + entry.getValue())
            .collect(Collectors.joining("\n"));
  }

  static Map<String, String> parse(String text) {
    if (text.isEmpty()) {
      return Map.of();
    }
    return text.lines()
        .collect(
            Collectors.toMap(
                line -> line.substring(0, line.indexOf(' ')),
                line -> line.substring(line.indexOf(' ') + 1)));
  }
}
