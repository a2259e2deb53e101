package dev.leasehold.kernel;

import dev.leasehold.fence.IllFormedException;

/** Bounds on the words that people put into a lease. Everything stored has a limit. */
final class Texts {
  private Texts() {}

  static void requireVisibleAscii(String what, String text, int max) {
    requireLength(what, text, 1, max);
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) <= ' ' || text.charAt(i) > '~') {
        throw new IllFormedException(
            what + " has a character at position " + i + " that is not visible ASCII");
      }
    }
  }

  /** What secrets and digests are written in. The text is not repeated: it may be a secret. */
  static void requireHex(String what, String text, int digits) {
    boolean hex = text.length() == digits;
    for (int i = 0; hex && i < digits; i++) {
      char c = text.charAt(i);
      hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    }
    if (!hex) {
      throw new IllFormedException(what + " is written as " + digits + " lower-case hex digits");
    }
  }

  /** Text for people, on one line: any characters but control characters and torn surrogates. */
  static void requireOneLine(String what, String text, int min, int max) {
    requireLength(what, text, min, max);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isISOControl(c)) {
        throw new IllFormedException(what + " has a control character at position " + i);
      }
      if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
      } else if (Character.isSurrogate(c)) {
        throw new IllFormedException(what + " has half a surrogate pair at position " + i);
      }
    }
  }

  private static void requireLength(String what, String text, int min, int max) {
    if (text.length() < min || text.length() > max) {
      throw new IllFormedException(
          what + " has " + text.length() + " characters: it must have " + min + " to " + max);
    }
  }
}
