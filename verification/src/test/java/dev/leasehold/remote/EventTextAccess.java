package dev.leasehold.remote;

import dev.leasehold.remote.wire.Changes;
import java.nio.charset.StandardCharsets;

/** The reader of server-sent events. */
public final class EventTextAccess {
  private EventTextAccess() {}

  /** Reads lines as a stream of changes does. */
  public static void read(String text) {
    EventText events = new EventText();
    text.lines()
        .map(events::take)
        .filter(EventText.Event.class::isInstance)
        .map(EventText.Event.class::cast)
        .forEach(
            event ->
                Changes.OF_LEASES.read(
                    event.name(), event.data().getBytes(StandardCharsets.UTF_8)));
  }

  /** Reads a file of certificates as a client does. */
  public static void readCertificates(java.nio.file.Path file) {
    var unused = TrustedCertificates.context(file);
  }
}
