package dev.leasehold.server.http;

import dev.leasehold.server.security.Permission;
import java.util.Optional;

/**
 * Which requests an endpoint is for.
 *
 * @param needed what the caller must be allowed; empty: nothing, and then no key is asked for
 */
public record Route(
    String method, PathTemplate template, Optional<Permission> needed, Endpoint endpoint) {

  /**
   * @param template a path with {@code {name}} for any part, and {@code {name*}} for all that
   *     follow
   */
  public Route(String method, String template, Optional<Permission> needed, Endpoint endpoint) {
    this(method, PathTemplate.of(template), needed, endpoint);
  }

  public static Route get(String template, Permission needed, Endpoint endpoint) {
    return new Route("GET", template, Optional.of(needed), endpoint);
  }

  public static Route post(String template, Permission needed, Endpoint endpoint) {
    return new Route("POST", template, Optional.of(needed), endpoint);
  }

  public static Route open(String template, Endpoint endpoint) {
    return new Route("GET", template, Optional.empty(), endpoint);
  }
}
