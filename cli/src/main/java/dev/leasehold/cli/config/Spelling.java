package dev.leasehold.cli.config;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.TreeSet;

/** Finds the setting that the user may have meant. */
final class Spelling {
  private Spelling() {}

  /** The message about an unknown path, with a suggestion. */
  static String unknown(String parent, String unknown) {
    boolean apiKey = unknown.replaceAll("[^A-Za-z]", "").toLowerCase(Locale.ROOT).equals("apikey");
    return "there is no setting '"
        + parent
        + unknown
        + "'; "
        + (apiKey
            ? "an API key is a secret, and is taken from LEASEHOLD_API_KEY only"
            : "did you mean " + nearest(parent, unknown) + "?");
  }

  /**
   * The known path that is nearest to an unknown one.
   *
   * @param parent the section of the unknown path, with a dot at its end; empty: the whole file
   */
  static String nearest(String parent, String unknown) {
    Collection<String> known = new TreeSet<>();
    for (Setting setting : Setting.values()) {
      String[] parts = setting.path().split("[.]", -1);
      for (int i = 1; i <= parts.length; i++) {
        known.add(String.join(".", Arrays.copyOf(parts, i)));
      }
    }
    known.removeIf(path -> path.endsWith("*"));
    String whole = parent + unknown;
    return known.stream()
        .min(Comparator.comparingInt((String path) -> distance(whole, like(path, parent))))
        .map(path -> like(path, parent))
        .orElseThrow();
  }

  /** Replaces the star by the name in the unknown path. */
  private static String like(String path, String parent) {
    int star = path.indexOf('*');
    if (star < 0) {
      return path;
    }
    String before = path.substring(0, star);
    String name =
        parent.startsWith(before) && parent.length() > before.length()
            ? parent.substring(before.length(), parent.length() - 1)
            : "NAME";
    return before + name + path.substring(star + 1);
  }

  /** An abbreviation counts as near; other words are compared by Levenshtein distance. */
  private static int distance(String typed, String known) {
    return typed.length() > 2 && known.startsWith(typed) && !known.contains(typed + ".")
        ? 1
        : edits(typed, known);
  }

  static int edits(String from, String to) {
    int[] row = new int[to.length() + 1];
    Arrays.setAll(row, i -> i);
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[to.length()];
  }
}
