package dev.leasehold.remote.wire;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/** Writes the members of an object. Absent values are left out. */
public final class JsonOut {
  private final JsonGenerator generator;

  JsonOut(JsonGenerator generator) {
    this.generator = generator;
  }

  public JsonOut text(String name, String value) {
    generator.writeStringProperty(name, value);
    return this;
  }

  public JsonOut text(String name, Optional<String> value) {
    value.ifPresent(present -> text(name, present));
    return this;
  }

  /** Left out if empty, like a value that is not set. */
  public JsonOut textIfAny(String name, String value) {
    return value.isEmpty() ? this : text(name, value);
  }

  public JsonOut number(String name, long value) {
    generator.writeNumberProperty(name, value);
    return this;
  }

  public JsonOut number(String name, OptionalLong value) {
    value.ifPresent(present -> number(name, present));
    return this;
  }

  public JsonOut flag(String name, boolean value) {
    generator.writeBooleanProperty(name, value);
    return this;
  }

  /** A value that is JSON already, copied unchanged. */
  public JsonOut json(String name, byte[] value) {
    generator.writeName(name);
    generator.writeRawValue(new String(value, StandardCharsets.UTF_8));
    return this;
  }

  public JsonOut object(String name, Consumer<JsonOut> members) {
    generator.writeName(name);
    return inside(members);
  }

  public <T> JsonOut object(String name, Optional<T> value, BiConsumer<JsonOut, T> members) {
    value.ifPresent(present -> object(name, out -> members.accept(out, present)));
    return this;
  }

  /** Ordered by name, so that equal values give equal text. */
  public JsonOut texts(String name, Map<String, String> values) {
    return object(name, out -> new TreeMap<>(values).forEach(out::text));
  }

  /** A list of objects, one for each item. */
  public <T> JsonOut list(String name, Iterable<T> items, BiConsumer<JsonOut, T> members) {
    generator.writeName(name);
    generator.writeStartArray();
    items.forEach(item -> inside(out -> members.accept(out, item)));
    generator.writeEndArray();
    return this;
  }

  public JsonOut words(String name, Iterable<String> words) {
    generator.writeName(name);
    generator.writeStartArray();
    words.forEach(generator::writeString);
    generator.writeEndArray();
    return this;
  }

  private JsonOut inside(Consumer<JsonOut> members) {
    generator.writeStartObject();
    members.accept(this);
    generator.writeEndObject();
    return this;
  }
}
