package dev.leasehold.server.http;

import dev.leasehold.server.security.Permission;
import java.util.EnumSet;
import java.util.Set;

/**
 * Which requests an endpoint is for.
 *
 * @param needed one of these the caller must be allowed; empty: nothing, and then no key is asked
 *     for
 */
public record Route(
    String method, PathTemplate template, Set<Permission> needed, Endpoint endpoint) {
  public Route {
    needed = Set.copyOf(needed);
  }

  /**
   * @param template a path with {@code {name}} for any part, and {@code {name*}} for all that
   *     follow
   */
  public Route(String method, String template, Set<Permission> needed, Endpoint endpoint) {
    this(method, PathTemplate.of(template), needed, endpoint);
  }

  public static Route get(String template, Permission needed, Endpoint endpoint) {
    return new Route("GET", template, Set.of(needed), endpoint);
  }

  public static Route post(String template, Permission needed, Endpoint endpoint) {
    return new Route("POST", template, Set.of(needed), endpoint);
  }

  /** For whoever is known; what exactly is allowed is the endpoint's to judge. */
  static Route known(String method, String template, Endpoint endpoint) {
    return new Route(method, template, EnumSet.allOf(Permission.class), endpoint);
  }

  public static Route open(String template, Endpoint endpoint) {
    return new Route("GET", template, Set.of(), endpoint);
  }
}
