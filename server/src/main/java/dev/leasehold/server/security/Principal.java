package dev.leasehold.server.security;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Who a request comes from.
 *
 * @param name for people: what operators' acts are recorded under
 * @param prefixes what the keys of its leases start with; the empty one is for all
 */
public record Principal(String name, Set<Permission> permissions, List<String> prefixes) {
  /** Whoever can reach a server on loopback that asks for no keys. */
  public static final Principal LOCAL =
      new Principal("local", EnumSet.allOf(Permission.class), List.of(""));

  public Principal {
    permissions = Set.copyOf(permissions);
    prefixes = List.copyOf(prefixes);
  }

  public boolean may(Permission permission) {
    return permissions.contains(permission);
  }

  /** Whether every key that starts so is its business. */
  public boolean covers(String keyOrPrefix) {
    return prefixes.stream().anyMatch(keyOrPrefix::startsWith);
  }
}
