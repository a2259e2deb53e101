package dev.leasehold.remote.wire;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Reads values into maps, lists, texts and numbers, with a limit on their number. */
final class JsonTree {
  private final JsonParser parser;
  private int left;

  JsonTree(JsonParser parser, int maxValues) {
    this.parser = parser;
    this.left = maxValues;
  }

  /** The members of the object that has just begun. */
  Map<String, Object> object() {
    Map<String, Object> members = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      countOne(name);
      if (parser.nextToken() != JsonToken.VALUE_NULL) {
        members.put(name, value(name));
      }
    }
    return members;
  }

  /** The value that has just begun. */
  Object value(String name) {
    JsonToken token = parser.currentToken();
    return switch (token) {
      case START_OBJECT -> object();
      case START_ARRAY -> array(name);
      case VALUE_STRING -> parser.getString();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NUMBER_INT -> integer(name);
      default -> throw new BadJsonException(name + ": a number must be an integer");
    };
  }

  private long integer(String name) {
    if (parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
      throw new BadJsonException(name + ": the number is beyond 64 bits");
    }
    return parser.getLongValue();
  }

  private List<Object> array(String name) {
    List<Object> items = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      countOne(name);
      if (parser.currentToken() == JsonToken.VALUE_NULL) {
        throw new BadJsonException(name + "[" + items.size() + "]: null is no item");
      }
      items.add(value(name));
    }
    return items;
  }

  /** Called before any part of the value is kept. */
  void countOne(String name) {
    if (left == 0) {
      throw new BadJsonException(name + ": too many members and items for one object");
    }
    left--;
  }
}
