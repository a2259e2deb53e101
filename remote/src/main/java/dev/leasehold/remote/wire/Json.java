package dev.leasehold.remote.wire;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/** Bytes to members, and members to bytes. How many bytes there may be is the reader's business. */
public final class Json {
  /** Deeper than anything that is sent. */
  static final int MAX_DEPTH = 16;

  private static final int MAX_NUMBER_DIGITS = 20;
  private static final int MAX_NAME_LENGTH = 256;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxNumberLength(MAX_NUMBER_DIGITS)
                  .maxNameLength(MAX_NAME_LENGTH)
                  .build())
          // Which of two would count must not depend on who reads them.
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          // Names come from outside: they must not pile up in a table for the whole process.
          .disable(tools.jackson.core.TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
          .build();

  /** What others put here may be anything that parsers elsewhere can read. */
  private static final int MAX_ANY_DEPTH = 500;

  private static final JsonFactory ANY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxNestingDepth(MAX_ANY_DEPTH).build())
          .disable(tools.jackson.core.TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
          .build();

  private Json() {}

  /** One object and nothing after it. */
  public static Members read(byte[] bytes) {
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), bytes)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new BadJsonException("the body must be a JSON object");
      }
      Members members = new Members("", object(parser));
      if (parser.nextToken() != null) {
        throw new BadJsonException("the body has something after its JSON object");
      }
      return members;
    } catch (JacksonException e) {
      throw bad(e);
    }
  }

  /** What the parser says, without the text that it was said about: that may hold a secret. */
  private static BadJsonException bad(JacksonException e) {
    var at = e.getLocation();
    String where = at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
    String what =
        switch (e) {
          case tools.jackson.core.exc.StreamConstraintsException tooMuch ->
              "goes beyond a bound (depth "
                  + MAX_DEPTH
                  + ", numbers of "
                  + MAX_NUMBER_DIGITS
                  + " digits, names of "
                  + MAX_NAME_LENGTH
                  + " characters)";
          default -> "is not well-formed JSON, or names a member twice,";
        };
    return new BadJsonException("the body " + what + where);
  }

  /** Refuses bytes that are not one JSON value in UTF-8, whatever it is. */
  public static void requireWellFormed(byte[] bytes) {
    try (JsonParser parser = ANY.createParser(ObjectReadContext.empty(), utf8(bytes))) {
      if (parser.nextToken() == null) {
        throw new BadJsonException("the body must be a JSON value");
      }
      parser.skipChildren();
      if (parser.nextToken() != null) {
        throw new BadJsonException("the body has something after its JSON value");
      }
    } catch (JacksonException e) {
      throw new BadJsonException(
          "the body is not well-formed JSON, or nested deeper than " + MAX_ANY_DEPTH);
    }
  }

  public static boolean isWellFormed(byte[] bytes) {
    try {
      requireWellFormed(bytes);
      return true;
    } catch (BadJsonException e) {
      return false;
    }
  }

  /** Parsers guess other encodings, which readers of what is kept might not. */
  private static String utf8(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new BadJsonException("the body is not UTF-8");
    }
  }

  private static Map<String, Object> object(JsonParser parser) {
    Map<String, Object> members = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName();
      if (parser.nextToken() != JsonToken.VALUE_NULL) {
        members.put(name, value(name, parser));
      }
    }
    return members;
  }

  private static Object value(String name, JsonParser parser) {
    JsonToken token = parser.currentToken();
    return switch (token) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> array(name, parser);
      case VALUE_STRING -> parser.getString();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NUMBER_INT -> integer(name, parser);
      default -> throw new BadJsonException(name + ": a number must be an integer");
    };
  }

  private static long integer(String name, JsonParser parser) {
    if (parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
      throw new BadJsonException(name + ": the number is beyond 64 bits");
    }
    return parser.getLongValue();
  }

  private static List<Object> array(String name, JsonParser parser) {
    List<Object> items = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (parser.currentToken() == JsonToken.VALUE_NULL) {
        throw new BadJsonException(name + "[" + items.size() + "]: null is no item");
      }
      items.add(value(name, parser));
    }
    return items;
  }

  /** One object, its members written by the caller. */
  public static byte[] write(Consumer<JsonOut> members) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator generator = FACTORY.createGenerator(ObjectWriteContext.empty(), bytes)) {
      generator.writeStartObject();
      members.accept(new JsonOut(generator));
      generator.writeEndObject();
    }
    return bytes.toByteArray();
  }
}
