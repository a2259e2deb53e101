package dev.leasehold.kernel.model;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.Token;

/**
 * A number that identifies a state of a row that users name: each write and deletion has a strictly
 * greater one, for ever. It is built like a lease's token: 13 bits of the store's incarnation, then
 * 40 bits of the row's counter, so that it is exact in JSON.
 */
public record Version(long value) implements Comparable<Version> {
  public Version {
    Token unused = new Token(value);
  }

  public static Version of(int incarnation, long counter) {
    return new Version(Token.of(incarnation, counter).value());
  }

  /** Reads the decimal form that {@link #toString()} writes, and no other. */
  public static Version parse(String text) {
    try {
      return new Version(Token.parse(text).value());
    } catch (IllFormedException e) {
      throw new IllFormedException("not a version: " + e.getMessage());
    }
  }

  /**
   * The next version in a store of this incarnation.
   *
   * @throws dev.leasehold.fence.TokenExhaustedException when the counter is used up
   */
  public Version next(int incarnation) {
    return new Version(new Token(value).next(incarnation).value());
  }

  public int incarnation() {
    return new Token(value).incarnation();
  }

  public long counter() {
    return new Token(value).counter();
  }

  public boolean isAbove(Version other) {
    return value > other.value;
  }

  @Override
  public int compareTo(Version other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
