package dev.leasehold.server.http;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** How many streams are open, of whatever. */
public final class Streams {
  private final int most;
  private final AtomicInteger open = new AtomicInteger();

  /** More at a time are told to come again. */
  public Streams(int most) {
    this.most = most;
  }

  public int count() {
    return open.get();
  }

  /** A stream from where the caller was, if it says so; {@code making} is for whoever reads it. */
  Answer.Stream open(Call call, Function<Answer.Sink, EventStream<?>> making) {
    Optional<String> lastId = call.header("Last-Event-ID");
    if (open.incrementAndGet() > most) {
      open.decrementAndGet();
      throw ProblemException.tooMany(most + " streams are open already");
    }
    return new Answer.Stream(
        "text/event-stream",
        sink -> {
          try {
            making.apply(bytes -> writeIfKnown(call, sink, bytes)).run(lastId);
          } finally {
            open.decrementAndGet();
          }
        });
  }

  /** A stream outlives its request: whoever may not ask any more is not told any more. */
  private static void writeIfKnown(Call call, Answer.Sink sink, byte[] bytes) throws IOException {
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
