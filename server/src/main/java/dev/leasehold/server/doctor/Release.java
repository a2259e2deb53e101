package dev.leasehold.server.doctor;

import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A version such as {@code 1.2.3}, with any suffix. */
final class Release {
  private static final Pattern VERSION = Pattern.compile("([0-9]{1,6})\\.([0-9]{1,6})([.-].*)?");

  private Release() {}

  /**
   * Whether replicas of both versions may share a store: they are at most one minor release apart.
   */
  static boolean areNeighbours(String one, String other) {
    OptionalInt apart = minorsApart(one, other);
    return apart.isPresent() && apart.getAsInt() <= 1;
  }

  /** Empty if the versions cannot be compared. */
  private static OptionalInt minorsApart(String one, String other) {
    Matcher first = VERSION.matcher(one);
    Matcher second = VERSION.matcher(other);
    boolean comparable =
        first.matches() && second.matches() && first.group(1).equals(second.group(1));
    return comparable
        ? OptionalInt.of(
            Math.abs(Integer.parseInt(first.group(2)) - Integer.parseInt(second.group(2))))
        : OptionalInt.empty();
  }
}
