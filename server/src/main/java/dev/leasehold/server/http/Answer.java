package dev.leasehold.server.http;

import dev.leasehold.remote.wire.Json;
import dev.leasehold.remote.wire.JsonOut;
import dev.leasehold.remote.wire.Problem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** What goes back. */
public sealed interface Answer {
  String JSON = "application/json";

  /**
   * All of it at once.
   *
   * @param ifUnsent what to do when it could not be written
   */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares answers, and none is changed
  record Whole(int status, String type, byte[] body, Runnable ifUnsent) implements Answer {}

  /** Bit by bit, for as long as the other side reads. */
  record Stream(String type, Body body) implements Answer {}

  /** The caller has gone: there is nobody to answer. */
  record Nobody() implements Answer {}

  /** Writes a stream, on a thread that may block. */
  @FunctionalInterface
  interface Body {
    void writeTo(Sink sink) throws IOException, InterruptedException;
  }

  /** Where a stream goes: a write returns when the other side has room. */
  interface Sink {
    void write(byte[] bytes) throws IOException;
  }

  static Answer json(Consumer<JsonOut> members) {
    return new Whole(Status.OK, JSON, Json.write(members), () -> {});
  }

  static Answer text(String type, String text) {
    return new Whole(Status.OK, type, text.getBytes(StandardCharsets.UTF_8), () -> {});
  }

  static Whole problem(Problem problem, Consumer<JsonOut> beside) {
    return new Whole(problem.status(), Problem.MEDIA_TYPE, problem.bytes(beside), () -> {});
  }
}
