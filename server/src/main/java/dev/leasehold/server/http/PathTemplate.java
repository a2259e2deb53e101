package dev.leasehold.server.http;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The paths of a route: {@code {name}} matches one segment, and {@code {name*}}, at the end,
 * matches all that follow.
 */
public record PathTemplate(String text, List<String> parts) {
  private static final String NAME = "{";
  private static final String REST = "*}";

  public PathTemplate {
    parts = List.copyOf(parts);
  }

  static PathTemplate of(String text) {
    return new PathTemplate(text, List.of(text.substring(1).split("/", -1)));
  }

  /** The values of its names, if the path matches. */
  Optional<Map<String, String>> match(List<String> path) {
    return isFor(path) ? Optional.of(values(path)) : Optional.empty();
  }

  /** Allocates nothing, because every request is compared with nearly every route. */
  private boolean isFor(List<String> path) {
    boolean open = parts.getLast().endsWith(REST);
    if (open ? path.size() < parts.size() : path.size() != parts.size()) {
      return false;
    }
    for (int i = 0; i < parts.size(); i++) {
      String part = parts.get(i);
      if (!part.startsWith(NAME) && !part.equals(path.get(i))) {
        return false;
      }
    }
    return true;
  }

  private Map<String, String> values(List<String> path) {
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < parts.size(); i++) {
      String part = parts.get(i);
      if (part.endsWith(REST)) {
        String rest = String.join("/", path.subList(i, path.size()));
        values.put(part.substring(1, part.length() - REST.length()), rest);
      } else if (part.startsWith(NAME)) {
        values.put(part.substring(1, part.length() - 1), path.get(i));
      }
    }
    return values;
  }
}
