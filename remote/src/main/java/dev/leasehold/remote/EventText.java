package dev.leasehold.remote;

/** Server-sent events out of the lines of a stream. What is not understood is passed over. */
final class EventText {
  private String name = "";
  private String id = "";
  private String data = "";

  /** What a line says. */
  sealed interface Said {}

  /** That the server is there; it says so first of all, and whenever it has nothing to tell. */
  record Sign() implements Said {}

  /** That an event is complete. */
  record Event(String name, String id, String data) implements Said {}

  /** Nothing by itself. */
  record Part() implements Said {}

  Said take(String line) {
    if (line.startsWith(":")) {
      return new Sign();
    }
    if (line.isEmpty()) {
      Event whole = new Event(name, id, data);
      name = "";
      id = "";
      data = "";
      return whole;
    }
    if (line.startsWith("event: ")) {
      name = line.substring("event: ".length());
    } else if (line.startsWith("id: ")) {
      id = line.substring("id: ".length());
    } else if (line.startsWith("data: ")) {
      data = line.substring("data: ".length());
    }
    return new Part();
  }
}
