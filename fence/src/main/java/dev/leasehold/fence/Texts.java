package dev.leasehold.fence;

/**
 * Checks texts that people and programs supply, because they end up in stores, logs and listings.
 */
public final class Texts {
  private Texts() {}

  /** Refuses control characters and line breaks, which could forge a line of a log. */
  public static void requireOneLine(String what, String text, int min, int max) {
    requireLength(what, text, min, max);
    int i = 0;
    while (i < text.length()) {
      int codePoint = text.codePointAt(i);
      if (!isOnOneLine(codePoint)) {
        throw new IllFormedException(
            what + " has a control character, line break or half a character at position " + i);
      }
      i += Character.charCount(codePoint);
    }
  }

  private static boolean isOnOneLine(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          false;
      default -> true;
    };
  }

  /** Requires at least one character, all of them visible ASCII. */
  public static void requireVisibleAscii(String what, String text, int max) {
    requireLength(what, text, 1, max);
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) <= ' ' || text.charAt(i) > '~') {
        throw new IllFormedException(
            what + " has a character at position " + i + " that is not visible ASCII");
      }
    }
  }

  /** Requires hex digits. The message does not repeat the text, which may be a secret. */
  public static void requireHex(String what, String text, int digits) {
    boolean hex = text.length() == digits;
    for (int i = 0; hex && i < digits; i++) {
      char c = text.charAt(i);
      hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    }
    if (!hex) {
      throw new IllFormedException(what + " is written as " + digits + " lower-case hex digits");
    }
  }

  private static void requireLength(String what, String text, int min, int max) {
    if (text.length() < min || text.length() > max) {
      throw new IllFormedException(
          what + " has " + text.length() + " characters: it must have " + min + " to " + max);
    }
  }
}
