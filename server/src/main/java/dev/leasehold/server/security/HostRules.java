package dev.leasehold.server.security;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which host names a request may use for the server, and which web pages it may come from. A
 * malicious web page can make its visitor's browser send requests to loopback, under a host name of
 * its own that resolves there or from an origin of its own; both are refused.
 *
 * @param names host names of the server, in lower case; if empty, any name is allowed, because
 *     every request then needs a key that no web page has
 */
public record HostRules(Set<String> names) {
  private static final Pattern PORT = Pattern.compile(":[0-9]{1,5}$");
  private static final List<String> LOOPBACK = List.of("localhost", "127.0.0.1", "[::1]");

  public HostRules {
    names = Set.copyOf(names);
  }

  public static HostRules loopback() {
    return new HostRules(Set.copyOf(LOOPBACK));
  }

  public static HostRules anyName() {
    return new HostRules(Set.of());
  }

  /** Adds host names and listening addresses. */
  public HostRules and(Collection<String> more) {
    return new HostRules(
        Stream.concat(names.stream(), more.stream().map(HostRules::asInHost))
            .collect(Collectors.toSet()));
  }

  /** In a Host header, an address with colons stands in brackets. */
  private static String asInHost(String name) {
    boolean bare = name.indexOf(':') >= 0 && !name.startsWith("[");
    return (bare ? "[" + name + "]" : name).toLowerCase(Locale.ROOT);
  }

  /** The reason to refuse these headers, if there is one. */
  public Optional<String> objection(Optional<String> host, Optional<String> origin) {
    if (host.isEmpty()) {
      return Optional.of("the request names no Host");
    }
    if (!names.isEmpty() && !names.contains(withoutPort(host.get()))) {
      return Optional.of("the name in Host is not one of this server's");
    }
    boolean foreign =
        origin
            .filter(
                from ->
                    !from.equalsIgnoreCase("http://" + host.get())
                        && !from.equalsIgnoreCase("https://" + host.get()))
            .isPresent();
    return foreign
        ? Optional.of("requests from pages of another origin are not taken")
        : Optional.empty();
  }

  private static String withoutPort(String host) {
    return PORT.matcher(host).replaceFirst("").toLowerCase(Locale.ROOT);
  }
}
