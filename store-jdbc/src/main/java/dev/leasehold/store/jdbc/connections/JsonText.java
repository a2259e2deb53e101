package dev.leasehold.store.jdbc.connections;

import java.util.List;

/** Writes texts into JSON arrays, in which SQLite gets many values as one parameter. */
public final class JsonText {
  private JsonText() {}

  /** Appends a text of visible ASCII, as keys, names and request ids are. */
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

  /** Lists of texts and numbers, as a list. */
  static String lists(List<? extends List<?>> lists) {
    StringBuilder json = new StringBuilder("[");
    for (List<?> list : lists) {
      json.append(json.length() == 1 ? "[" : ",[");
      for (int i = 0; i < list.size(); i++) {
        StringBuilder separated = i == 0 ? json : json.append(',');
        if (list.get(i) instanceof Number number) {
          separated.append(number);
        } else {
          quote(separated, String.valueOf(list.get(i)));
        }
      }
      json.append(']');
    }
    return json.append(']').toString();
  }
}
