package dev.leasehold.remote.wire;

import dev.leasehold.blocks.objects.model.ObjectChange;
import dev.leasehold.kernel.spi.LeaseChange;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Hints of one block as server-sent events: the kind is the event's name, and the data says what
 * has changed.
 *
 * @param <C> a change
 */
public final class Changes<C> {
  /** The event that says that other events may have been missed; a listing follows it. */
  public static final String RESET = "reset";

  public static final Changes<LeaseChange> OF_LEASES =
      of(
          LeaseChange.Kind.values(),
          LeaseChange::kind,
          (out, change) ->
              out.text("key", change.key().text()).number("token", change.token().value()),
          (kind, members) -> new LeaseChange(kind, Commands.key(members), Commands.token(members)));

  /** The reader of an event lists the objects itself: payloads may be large. */
  public static final Changes<ObjectChange> OF_OBJECTS =
      of(
          ObjectChange.Kind.values(),
          ObjectChange::kind,
          (out, change) ->
              ObjectCommands.writeName(out, change.name())
                  .number("version", change.version().value()),
          (kind, members) ->
              new ObjectChange(
                  kind, ObjectCommands.readName(members), ObjectOutcomes.version(members)));

  private final Function<C, Enum<?>> kindOf;
  private final BiConsumer<JsonOut, C> writer;
  private final Map<String, Function<Members, C>> readers;

  private Changes(
      Function<C, Enum<?>> kindOf,
      BiConsumer<JsonOut, C> writer,
      Map<String, Function<Members, C>> readers) {
    this.kindOf = kindOf;
    this.writer = writer;
    this.readers = readers;
  }

  private static <K extends Enum<K>, C> Changes<C> of(
      K[] kinds,
      Function<C, Enum<?>> kindOf,
      BiConsumer<JsonOut, C> writer,
      BiFunction<K, Members, C> reader) {
    return new Changes<>(
        kindOf,
        writer,
        Arrays.stream(kinds)
            .collect(
                Collectors.toUnmodifiableMap(
                    Changes::word, kind -> members -> reader.apply(kind, members))));
  }

  private static String word(Enum<?> kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  public String event(C change) {
    return word(kindOf.apply(change));
  }

  public byte[] data(C change) {
    return Json.write(out -> write(out, change));
  }

  public void write(JsonOut out, C change) {
    writer.accept(out, change);
  }

  /** Empty for unknown events: a newer server may send more kinds. */
  public Optional<C> read(String event, byte[] data) {
    return Optional.ofNullable(readers.get(event)).map(reader -> reader.apply(Json.read(data)));
  }
}
