package dev.leasehold.server.security;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The caller of a request.
 *
 * @param name under which the acts of an operator are recorded
 * @param prefixes of the lease keys that the caller may use; the empty prefix covers all
 */
public record Principal(String name, Set<Permission> permissions, List<String> prefixes) {
  /** Any caller on loopback, of a server that requires no keys. */
  public static final Principal LOCAL =
      new Principal("local", EnumSet.allOf(Permission.class), List.of(""));

  public Principal {
    permissions = Set.copyOf(permissions);
    prefixes = List.copyOf(prefixes);
  }

  public boolean may(Permission permission) {
    return permissions.contains(permission);
  }

  /** Whether the caller may use every key with this prefix. */
  public boolean covers(String keyOrPrefix) {
    return prefixes.stream().anyMatch(keyOrPrefix::startsWith);
  }
}
