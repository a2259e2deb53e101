package dev.leasehold.server.http;

import dev.leasehold.remote.wire.Json;
import dev.leasehold.remote.wire.JsonOut;
import dev.leasehold.remote.wire.Problem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Consumer;

/** The answer to a request. */
public sealed interface ApiResponse {
  String JSON = "application/json";

  /**
   * A complete answer.
   *
   * @param tag the version of the content, sent as ETag
   * @param ifUnsent runs when the answer could not be written
   */
  @SuppressWarnings("ArrayRecordComponent") // Answers are neither compared nor changed.
  record Whole(int status, String type, byte[] body, Optional<String> tag, Runnable ifUnsent)
      implements ApiResponse {
    Whole(int status, String type, byte[] body) {
      this(status, type, body, Optional.empty(), () -> {});
    }

    Whole with(String newTag) {
      return new Whole(status, type, body, Optional.of(newTag), ifUnsent);
    }

    Whole orElse(Runnable unsent) {
      return new Whole(status, type, body, tag, unsent);
    }
  }

  /** An answer that is written piece by piece, for as long as the client reads. */
  record Stream(String type, Body body) implements ApiResponse {}

  /** The caller has closed its connection, so no answer is written. */
  record ClientGone() implements ApiResponse {}

  /** Writes a stream, on a thread that may block. */
  @FunctionalInterface
  interface Body {
    void writeTo(Sink sink) throws IOException, InterruptedException;
  }

  /** The destination of a stream. A write returns when the client has room. */
  interface Sink {
    void write(byte[] bytes) throws IOException;
  }

  static ApiResponse json(Consumer<JsonOut> members) {
    return new Whole(Status.OK, JSON, Json.write(members));
  }

  static ApiResponse text(String type, String text) {
    return new Whole(Status.OK, type, text.getBytes(StandardCharsets.UTF_8));
  }

  static Whole problem(Problem problem, Consumer<JsonOut> beside) {
    return new Whole(problem.status(), Problem.MEDIA_TYPE, problem.bytes(beside));
  }
}
