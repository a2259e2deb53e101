package dev.leasehold.remote;

/** Parses server-sent events from the lines of a stream. Unknown lines are ignored. */
final class EventText {
  private String name = "";
  private String id = "";
  private String data = "";

  /** The meaning of a line. */
  sealed interface Parsed {}

  /** A sign of life: the server sends one first of all, and whenever it has no events to send. */
  record KeepAlive() implements Parsed {}

  /** A complete event. */
  record Event(String name, String id, String data) implements Parsed {}

  /** Part of an event that is not complete yet. */
  record Incomplete() implements Parsed {}

  Parsed take(String line) {
    if (line.startsWith(":")) {
      return new KeepAlive();
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
    return new Incomplete();
  }
}
