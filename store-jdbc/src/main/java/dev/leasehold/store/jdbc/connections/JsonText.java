package dev.leasehold.store.jdbc.connections;

/** Texts in JSON arrays, by which SQLite is given many values in one parameter. */
public final class JsonText {
  private JsonText() {}

  /** Appends a text that is visible ASCII, as keys, names and request ids are. */
  public static void quote(StringBuilder json, String text) {
    json.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\');
      }
      json.append(c);
    }
    json.append('"');
  }
}
