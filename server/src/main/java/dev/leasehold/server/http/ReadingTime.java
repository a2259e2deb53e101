package dev.leasehold.server.http;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * How long a client may take to read a large answer, which stays in memory until then. A client
 * that reads a byte now and then is never idle, and could keep the answer in memory for ever.
 *
 * @param least time for any answer
 * @param bytesPerSecond the client gets one more second for each of this many bytes
 */
record ReadingTime(Duration least, long bytesPerSecond) {
  static final ReadingTime USUAL = new ReadingTime(Duration.ofSeconds(10), 64 * 1024);

  /** The operating system usually buffers smaller answers at once. */
  private static final int SMALL = 64 * 1024;

  /** Closes the connection when time is up; the callback then fails. */
  Callback bounded(Request request, int bytes, Callback told) {
    if (bytes <= SMALL) {
      return told;
    }
    EndPoint connection = request.getConnectionMetaData().getConnection().getEndPoint();
    Scheduler.Task end =
        request
            .getComponents()
            .getScheduler()
            .schedule(
                () -> connection.close(new TimeoutException("the reader is too slow")),
                least.toMillis() + TimeUnit.SECONDS.toMillis(bytes) / bytesPerSecond,
                TimeUnit.MILLISECONDS);
    return new Callback.Nested(told) {
      @Override
      public void succeeded() {
        boolean unused = end.cancel();
        super.succeeded();
      }

      @Override
      public void failed(Throwable failure) {
        boolean unused = end.cancel();
        super.failed(failure);
      }
    };
  }
}
