package dev.leasehold.server.http;

import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.remote.wire.Changes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * One reader of a hub: changes as server-sent events, from now on or from where the reader left
 * off. Where changes may have been missed, the stream sends {@code reset}.
 */
class EventStream<C> {
  /** Lets the client, the server and proxies between them tell a quiet stream from a broken one. */
  static final long HEARTBEAT_MILLIS = 10_000;

  private final ChangeHub<C> hub;
  private final ApiResponse.Sink sink;
  private final Changes<C> format;
  private final Ticker ticker;
  private long number;
  private long saidNanos;

  EventStream(ChangeHub<C> hub, ApiResponse.Sink sink, Changes<C> format) {
    this(hub, sink, format, Ticker.system());
  }

  EventStream(ChangeHub<C> hub, ApiResponse.Sink sink, Changes<C> format, Ticker ticker) {
    this.hub = hub;
    this.sink = sink;
    this.format = format;
    this.ticker = ticker;
    this.number = hub.last();
  }

  /** Whether this reader wants the change. */
  boolean isWanted(C change) {
    return true;
  }

  /** Writes what follows a reset; nothing, if the reader lists the rows itself. */
  void list() throws IOException, InterruptedException {}

  final void run(Optional<String> lastId) throws IOException, InterruptedException {
    say(": watching\n\n");
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
      on = step(hub.after(number, Math.max(1, HEARTBEAT_MILLIS - silentMillis())));
    }
  }

  private long silentMillis() {
    return TimeUnit.NANOSECONDS.toMillis(ticker.nanos() - saidNanos);
  }

  private void say(String text) throws IOException {
    say(text.getBytes(StandardCharsets.US_ASCII));
  }

  private void say(byte[] bytes) throws IOException {
    saidNanos = ticker.nanos();
    sink.write(bytes);
  }

  /** Whether it goes on. A reader that was too slow is cut off, and comes again. */
  private boolean step(ChangeHub.Next<C> next) throws IOException, InterruptedException {
    switch (next) {
      case ChangeHub.Following<C>(List<ChangeHub.Event<C>> events) -> {
        tell(events);
        if (silentMillis() >= HEARTBEAT_MILLIS) {
          // Also when the events were for other readers and none was for this one.
          say(": still here\n\n");
        }
        return true;
      }
      case ChangeHub.Forgotten<C> forgotten -> throw new IOException("the reader is too slow");
      case ChangeHub.Over<C> over -> {
        return false;
      }
    }
  }

  private void tell(List<ChangeHub.Event<C>> events) throws IOException, InterruptedException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (ChangeHub.Event<C> event : events) {
      if (event.change().isEmpty()) {
        send(bytes);
        // The list after a reset covers all events up to now, so they are not sent.
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
      say(bytes.toByteArray());
    }
  }

  private void reset() throws IOException, InterruptedException {
    number = hub.last();
    say("event: " + Changes.RESET + "\ndata: {}\n\n");
    list();
    // The id comes last, so that a reader that is cut off in the middle of the list gets all of it
    // again.
    say("id: " + hub.idOf(number) + "\n\n");
  }

  private void write(ByteArrayOutputStream bytes, C change) {
    write(bytes, change, "\nid: " + hub.idOf(number));
  }

  /** Writes an event without an id, so that no reader resumes from it. */
  final void writeListed(ByteArrayOutputStream bytes, C change) {
    write(bytes, change, "");
  }

  private void write(ByteArrayOutputStream bytes, C change, String place) {
    String head = "event: " + format.event(change) + place + "\ndata: ";
    bytes.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
    bytes.writeBytes(format.data(change));
    bytes.writeBytes("\n\n".getBytes(StandardCharsets.US_ASCII));
  }
}
