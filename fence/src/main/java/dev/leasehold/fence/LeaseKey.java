package dev.leasehold.fence;

import java.util.Locale;

/**
 * What is leased, written {@code kind/name}: up to 255 bytes of visible ASCII without spaces. The
 * kind names the payload ({@code lock}, {@code leader}, {@code shard}, ...); the name may contain
 * further slashes.
 */
public record LeaseKey(String text) implements Comparable<LeaseKey> {
  public static final int MAX_LENGTH = 255;

  public LeaseKey {
    if (text.isEmpty() || text.length() > MAX_LENGTH) {
      throw new IllFormedException(
          "key of "
              + text.length()
              + " characters: a key has 1 to "
              + MAX_LENGTH
              + ", written kind/name");
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c <= ' ' || c > '~') {
        throw new IllFormedException(
            String.format(
                Locale.ROOT,
                "key has character U+%04X at position %d: only visible ASCII without spaces"
                    + " is allowed",
                (int) c,
                i));
      }
    }
    int slash = text.indexOf('/');
    if (slash <= 0 || slash == text.length() - 1) {
      throw new IllFormedException(
          "key '" + text + "' is not of the form kind/name, for example lock/nightly-report");
    }
  }

  public static LeaseKey of(String kind, String name) {
    // Checked first, since it refuses text that must not be repeated in a message.
    LeaseKey key = new LeaseKey(kind + "/" + name);
    if (kind.indexOf('/') >= 0) {
      throw new IllFormedException("kind '" + kind + "' has a slash: only the name may have one");
    }
    return key;
  }

  public String kind() {
    return text.substring(0, text.indexOf('/'));
  }

  public String name() {
    return text.substring(text.indexOf('/') + 1);
  }

  /** By bytes, which for ASCII is by characters. Stores list keys in this order. */
  @Override
  public int compareTo(LeaseKey other) {
    return text.compareTo(other.text);
  }

  @Override
  public String toString() {
    return text;
  }
}
