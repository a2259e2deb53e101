package dev.leasehold.cli.config;

import dev.leasehold.fence.IllFormedException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The address that a server listens on: {@code HOST:PORT}, with an IPv6 host in brackets or bare.
 *
 * @param host without brackets
 */
public record ListenAddress(String host, int port) {
  static final String EXPECTED = "written HOST:PORT";

  private static final Pattern BRACKETED = Pattern.compile("\\[([^\\[\\]\\s]+)]:([0-9]{1,5})");
  private static final Pattern BARE = Pattern.compile("([^\\[\\]\\s]+):([0-9]{1,5})");
  private static final int MAX_PORT = 65_535;

  public static ListenAddress of(String text) {
    Matcher matcher = (text.startsWith("[") ? BRACKETED : BARE).matcher(text);
    if (!matcher.matches() || Integer.parseInt(matcher.group(2)) > MAX_PORT) {
      throw new IllFormedException("where to listen is " + EXPECTED);
    }
    return new ListenAddress(matcher.group(1), Integer.parseInt(matcher.group(2)));
  }

  static boolean isOne(String text) {
    try {
      return of(text).port() >= 0;
    } catch (IllFormedException e) {
      return false;
    }
  }

  /** The address as a user writes it. */
  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
