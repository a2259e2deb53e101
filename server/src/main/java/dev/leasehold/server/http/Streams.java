package dev.leasehold.server.http;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Counts and limits the open streams of all kinds. */
public final class Streams {
  private final int most;
  private final AtomicInteger open = new AtomicInteger();

  /** {@code most} limits the open streams; more are told to come again. */
  public Streams(int most) {
    this.most = most;
  }

  public int count() {
    return open.get();
  }

  /**
   * A stream that resumes from the caller's {@code Last-Event-ID}, if it sent one; {@code making}
   * creates its reader.
   */
  ApiResponse.Stream open(Call call, Function<ApiResponse.Sink, EventStream<?>> making) {
    Optional<String> lastId = call.header("Last-Event-ID");
    if (open.incrementAndGet() > most) {
      open.decrementAndGet();
      throw ProblemException.tooMany(most + " streams are open already");
    }
    return new ApiResponse.Stream(
        "text/event-stream",
        sink -> {
          try {
            making.apply(bytes -> writeIfKnown(call, sink, bytes)).run(lastId);
          } finally {
            open.decrementAndGet();
          }
        });
  }

  /** A stream outlives its request: it ends when the caller's API key is revoked. */
  private static void writeIfKnown(Call call, ApiResponse.Sink sink, byte[] bytes)
      throws IOException {
    try {
      if (call.isRevoked()) {
        throw new IOException("the reader's API key was revoked");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
    sink.write(bytes);
  }
}
