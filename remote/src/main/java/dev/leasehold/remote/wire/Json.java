package dev.leasehold.remote.wire;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/** Reads answers into members and writes members as bytes. {@link JsonIn} reads requests. */
public final class Json {
  /** Deeper than any message of the protocol. */
  static final int MAX_DEPTH = 16;

  private static final int MAX_NUMBER_DIGITS = 20;
  private static final int MAX_NAME_LENGTH = 256;

  /** More than the largest payload has in base 64, which is the longest text of the protocol. */
  private static final int MAX_TEXT_LENGTH = 1_500_000;

  static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxNumberLength(MAX_NUMBER_DIGITS)
                  .maxNameLength(MAX_NAME_LENGTH)
                  .maxStringLength(MAX_TEXT_LENGTH)
                  .build())
          // Parsers differ in which of two duplicate members they use.
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          // Member names come from outside, and must not accumulate in a table of the whole
          // process.
          .disable(tools.jackson.core.TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
          .build();

  /** A user's object may have any depth that other parsers can read. */
  private static final int MAX_ANY_DEPTH = 500;

  private static final JsonFactory ANY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxNestingDepth(MAX_ANY_DEPTH).build())
          .disable(tools.jackson.core.TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
          .build();

  private Json() {}

  /**
   * Reads one object and nothing after it: the answer of a server, which is trusted to limit its
   * size.
   */
  public static Members read(byte[] bytes) {
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), bytes)) {
      return wholeObject(
          parser, it -> new Members("", new JsonTree(it, Integer.MAX_VALUE).object()));
    } catch (JacksonException e) {
      throw bad(e);
    }
  }

  /** Reads one object that has begun, and refuses anything after it. */
  static <T> T wholeObject(JsonParser parser, Function<JsonParser, T> body) {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      throw new BadJsonException("the body must be a JSON object");
    }
    T read = body.apply(parser);
    if (parser.nextToken() != null) {
      throw new BadJsonException("the body has something after its JSON object");
    }
    return read;
  }

  /** The parser's message without the text that it is about, which may hold a secret. */
  static BadJsonException bad(JacksonException e) {
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
                  + " characters, texts of "
                  + MAX_TEXT_LENGTH
                  + ")";
          default -> "is not well-formed JSON, or names a member twice,";
        };
    return new BadJsonException("the body " + what + where);
  }

  /** Refuses bytes that are not one JSON value of any type in UTF-8. */
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

  /**
   * Refuses other encodings: parsers would guess them, and later readers of the stored bytes might
   * not.
   */
  private static String utf8(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new BadJsonException("the body is not UTF-8");
    }
  }

  /** Writes one object whose members the caller adds. */
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
