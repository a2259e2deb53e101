package dev.leasehold.fence;

import java.util.regex.Pattern;

/**
 * The fencing token: a positive integer that is strictly greater for each new grant of a key, for
 * ever.
 *
 * <p>It has 53 bits, so that it is exact in JSON and in a BIGINT: the upper 13 are the store's
 * incarnation, the lower 40 the key's own counter. A store that was restored from a backup gets a
 * higher incarnation, and every token that it issues from then on is above every token that it ever
 * issued. Counter 0 is the floor of an incarnation: it belongs to no grant.
 */
public record Token(long value) implements Comparable<Token> {
  private static final int COUNTER_BITS = 40;
  private static final int INCARNATION_BITS = 13;

  public static final int MAX_INCARNATION = (1 << INCARNATION_BITS) - 1;
  public static final long MAX_COUNTER = (1L << COUNTER_BITS) - 1;
  private static final long MAX_VALUE = (1L << (INCARNATION_BITS + COUNTER_BITS)) - 1;
  private static final Pattern DECIMAL = Pattern.compile("[1-9][0-9]{0,15}");

  /** The highest token. */
  public static final Token HIGHEST = new Token(MAX_VALUE);

  public Token {
    if (value <= 0 || value > MAX_VALUE) {
      throw new IllFormedException(
          "token " + value + " is out of range: it must be from 1 to " + MAX_VALUE);
    }
  }

  public static Token of(int incarnation, long counter) {
    if (incarnation < 0 || incarnation > MAX_INCARNATION) {
      throw new IllFormedException(
          "incarnation "
              + incarnation
              + " is out of range: it must be from 0 to "
              + MAX_INCARNATION);
    }
    if (counter < 0 || counter > MAX_COUNTER) {
      throw new IllFormedException(
          "counter " + counter + " is out of range: it must be from 0 to " + MAX_COUNTER);
    }
    return new Token(((long) incarnation << COUNTER_BITS) | counter);
  }

  /**
   * Reads the decimal form that {@link #toString()} writes, and no other, so that programs may
   * compare tokens as text.
   */
  public static Token parse(String text) {
    if (!DECIMAL.matcher(text).matches()) {
      // The message does not repeat the text, which may have any length and content.
      throw new IllFormedException(
          "a token is a decimal integer from 1 to "
              + MAX_VALUE
              + ", without sign or leading zeros");
    }
    return new Token(Long.parseLong(text));
  }

  public int incarnation() {
    return (int) (value >>> COUNTER_BITS);
  }

  public long counter() {
    return value & MAX_COUNTER;
  }

  /**
   * The token after this one in a store of the given incarnation. The counter continues across
   * incarnations, and an incarnation below this token's is ignored, so that tokens never go back.
   *
   * @throws TokenExhaustedException when the counter is used up, for this key and for ever
   */
  public Token next(int storeIncarnation) {
    if (counter() == MAX_COUNTER) {
      throw new TokenExhaustedException(this);
    }
    return of(Math.max(incarnation(), storeIncarnation), counter() + 1);
  }

  public boolean isBelow(Token other) {
    return value < other.value;
  }

  public boolean isAbove(Token other) {
    return value > other.value;
  }

  @Override
  public int compareTo(Token other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
