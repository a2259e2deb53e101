package dev.leasehold.remote.wire;

import dev.leasehold.kernel.spi.LeaseChange;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Hints as server-sent events: the kind is the event's name, key and token are its data. */
public final class Changes {
  /** The event that says that other events may have been missed; a listing follows it. */
  public static final String RESET = "reset";

  private Changes() {}

  public static String event(LeaseChange.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  public static byte[] data(LeaseChange change) {
    return Json.write(out -> write(out, change));
  }

  public static void write(JsonOut out, LeaseChange change) {
    out.text("key", change.key().text()).number("token", change.token().value());
  }

  /** Empty for unknown events: a newer server may send more kinds. */
  public static Optional<LeaseChange> read(String event, byte[] data) {
    return Arrays.stream(LeaseChange.Kind.values())
        .filter(kind -> event(kind).equals(event))
        .findFirst()
        .map(
            kind -> {
              Members members = Json.read(data);
              return new LeaseChange(kind, Commands.key(members), Commands.token(members));
            });
  }
}
