package dev.leasehold.server.http;

import dev.leasehold.server.security.Permission;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which requests an endpoint is for.
 *
 * @param template a path with {@code {name}} for any part, and {@code {name*}} for all that follow
 * @param needed what the caller must be allowed; empty: nothing, and then no key is asked for
 */
public record Route(
    String method, String template, Optional<Permission> needed, Endpoint endpoint) {

  public static Route get(String template, Permission needed, Endpoint endpoint) {
    return new Route("GET", template, Optional.of(needed), endpoint);
  }

  public static Route post(String template, Permission needed, Endpoint endpoint) {
    return new Route("POST", template, Optional.of(needed), endpoint);
  }

  public static Route open(String template, Endpoint endpoint) {
    return new Route("GET", template, Optional.empty(), endpoint);
  }

  /** What the names in the template stand for, if the path is one of its. */
  Optional<Map<String, String>> match(List<String> path) {
    String[] parts = template.substring(1).split("/", -1);
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < parts.length; i++) {
      if (i >= path.size()) {
        return Optional.empty();
      }
      if (parts[i].endsWith("*}")) {
        String rest = String.join("/", new ArrayList<>(path.subList(i, path.size())));
        values.put(parts[i].substring(1, parts[i].length() - 2), rest);
        return Optional.of(values);
      }
      if (parts[i].startsWith("{")) {
        values.put(parts[i].substring(1, parts[i].length() - 1), path.get(i));
      } else if (!parts[i].equals(path.get(i))) {
        return Optional.empty();
      }
    }
    return path.size() == parts.length ? Optional.of(values) : Optional.empty();
  }
}
