package dev.leasehold.fence;

/** Bounds on what people write into claims and names. It ends up in logs and listings. */
final class Texts {
  private Texts() {}

  /** Not empty, not too long, and nothing that would break or fake a line of a log. */
  static void requireOneLine(String what, String text, int max) {
    if (text.isEmpty() || text.length() > max) {
      throw new IllFormedException(
          what + " has " + text.length() + " characters: it must have 1 to " + max);
    }
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
}
