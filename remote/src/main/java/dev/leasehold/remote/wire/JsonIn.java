package dev.leasehold.remote.wire;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;

/**
 * The body of a request, which is read and checked while it arrives. The first fault ends the
 * reading. Of a batch, only the results of its items are kept.
 */
public final class JsonIn {
  /** More than the largest item has: a charter of a hundred targets. */
  static final int MAX_VALUES = 1_000;

  private final InputStream bytes;
  private final Runnable digested;

  /**
   * Reads bytes while they arrive.
   *
   * @param digested runs after each item of a batch, whose bytes are then no longer needed
   */
  public JsonIn(InputStream bytes, Runnable digested) {
    this.bytes = bytes;
    this.digested = digested;
  }

  public static JsonIn of(byte[] bytes) {
    return new JsonIn(new ByteArrayInputStream(bytes), () -> {});
  }

  /** The items of a batch, and the other members of its object. */
  public record Batch<T>(List<T> items, Members others) {
    /** For a batch that has no other members. */
    List<T> alone() {
      others.nothingElse();
      return items;
    }
  }

  /** Reads one object and nothing after it. */
  public Members object() {
    return read(parser -> new Members("", new JsonTree(parser, MAX_VALUES).object()));
  }

  /**
   * Reads one object and nothing after it, with a member that is a list of objects.
   *
   * @param max maximum number of items
   * @param item converts an item, and refuses it by an exception
   */
  public <T> Batch<T> batch(String list, int max, Function<Members, T> item) {
    return read(
        parser -> {
          List<T> items = new ArrayList<>();
          Map<String, Object> others = new LinkedHashMap<>();
          JsonTree tree = new JsonTree(parser, MAX_VALUES);
          boolean found = false;
          while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            tree.countOne(name);
            JsonToken token = parser.nextToken();
            if (name.equals(list) && token != JsonToken.VALUE_NULL) {
              readItems(parser, list, max, read -> items.add(item.apply(read)));
              found = true;
            } else if (token != JsonToken.VALUE_NULL) {
              others.put(name, tree.value(name));
            }
          }
          if (!found) {
            throw new BadJsonException(list + ": is missing");
          }
          return new Batch<>(List.copyOf(items), new Members("", others));
        });
  }

  /** Processes each of the items. */
  private interface ForEach {
    boolean item(Members read);
  }

  private void readItems(JsonParser parser, String list, int max, ForEach each) {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      throw new BadJsonException(list + ": must be an array");
    }
    for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
      if (i == max) {
        throw new BadJsonException(list + ": at most " + max + " items are allowed");
      }
      String path = list + "[" + i + "]";
      if (parser.currentToken() != JsonToken.START_OBJECT) {
        throw new BadJsonException(path + ": must be an object");
      }
      boolean unused = each.item(new Members(path, new JsonTree(parser, MAX_VALUES).object()));
      digested.run();
    }
  }

  private <T> T read(Function<JsonParser, T> body) {
    try (JsonParser parser = Json.FACTORY.createParser(ObjectReadContext.empty(), bytes)) {
      return Json.wholeObject(parser, body);
    } catch (JacksonException e) {
      throw Json.bad(e);
    }
  }
}
