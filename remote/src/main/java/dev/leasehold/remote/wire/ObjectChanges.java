package dev.leasehold.remote.wire;

import dev.leasehold.blocks.objects.model.ObjectChange;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Hints of objects as server-sent events: the kind is the event's name, the object is its data. */
public final class ObjectChanges {
  private ObjectChanges() {}

  public static String event(ObjectChange.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  public static byte[] data(ObjectChange change) {
    return Json.write(
        out ->
            ObjectCommands.writeName(out, change.name())
                .number("version", change.version().value()));
  }

  /** Empty for unknown events: a newer server may send more kinds. */
  public static Optional<ObjectChange> read(String event, byte[] data) {
    return Arrays.stream(ObjectChange.Kind.values())
        .filter(kind -> event(kind).equals(event))
        .findFirst()
        .map(
            kind -> {
              Members members = Json.read(data);
              return new ObjectChange(
                  kind, ObjectCommands.readName(members), ObjectOutcomes.version(members));
            });
  }
}
