package dev.leasehold.server.http;

import dev.leasehold.remote.wire.Changes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * One reader of a hub: changes as server-sent events, from now on, or from where it was. Where
 * nobody knows what it has missed, {@code reset} comes.
 */
abstract class EventStream<C> {
  /** So that both sides, and what is between, can tell silence from an end. */
  static final long HEARTBEAT_MILLIS = 10_000;

  private final EventHub<C> hub;
  private final Answer.Sink sink;
  private long number;

  EventStream(EventHub<C> hub, Answer.Sink sink) {
    this.hub = hub;
    this.sink = sink;
    this.number = hub.last();
  }

  /** Whether this reader is to hear of it. */
  abstract boolean isWanted(C change);

  abstract String name(C change);

  abstract byte[] data(C change);

  /** What follows a reset. */
  abstract void list() throws IOException, InterruptedException;

  final void run(Optional<String> lastId) throws IOException, InterruptedException {
    sink.write(": watching\n\n".getBytes(StandardCharsets.US_ASCII));
    if (lastId.isPresent()) {
      Optional<Long> resumed = hub.resume(lastId.get());
      if (resumed.isPresent()) {
        number = resumed.get();
      } else {
        reset();
      }
    }
    boolean on = true;
    while (on) {
      on = step(hub.after(number, HEARTBEAT_MILLIS));
    }
  }

  /** Whether it goes on. A reader that was too slow is cut off, and comes again. */
  private boolean step(EventHub.Next<C> next) throws IOException, InterruptedException {
    switch (next) {
      case EventHub.Following<C>(List<EventHub.Event<C>> events) -> {
        if (events.isEmpty()) {
          sink.write(": still here\n\n".getBytes(StandardCharsets.US_ASCII));
        } else {
          tell(events);
        }
        return true;
      }
      case EventHub.Forgotten<C> forgotten -> throw new IOException("the reader is too slow");
      case EventHub.Over<C> over -> {
        return false;
      }
    }
  }

  private void tell(List<EventHub.Event<C>> events) throws IOException, InterruptedException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (EventHub.Event<C> event : events) {
      if (event.change().isEmpty()) {
        send(bytes);
        // What is listed then comes after everything before now, so that goes untold.
        reset();
        return;
      }
      number = event.number();
      if (isWanted(event.change().get())) {
        write(bytes, event.change().get());
      }
    }
    send(bytes);
  }

  final void send(ByteArrayOutputStream bytes) throws IOException {
    if (bytes.size() > 0) {
      sink.write(bytes.toByteArray());
    }
  }

  private void reset() throws IOException, InterruptedException {
    number = hub.last();
    sink.write(
        ("event: " + Changes.RESET + "\nid: " + hub.idOf(number) + "\ndata: {}\n\n")
            .getBytes(StandardCharsets.US_ASCII));
    list();
  }

  final void write(ByteArrayOutputStream bytes, C change) {
    String head = "event: " + name(change) + "\nid: " + hub.idOf(number) + "\ndata: ";
    bytes.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
    bytes.writeBytes(data(change));
    bytes.writeBytes("\n\n".getBytes(StandardCharsets.US_ASCII));
  }
}
