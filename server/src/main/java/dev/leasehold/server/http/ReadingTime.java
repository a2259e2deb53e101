package dev.leasehold.server.http;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * How long a caller may take to read a large answer, which is kept for it until then. One that
 * reads a byte now and then is never idle, and could have it kept for ever.
 *
 * @param least for any answer
 * @param bytesPerSecond for each of which it gets a second more
 */
record ReadingTime(Duration least, long bytesPerSecond) {
  static final ReadingTime USUAL = new ReadingTime(Duration.ofSeconds(10), 64 * 1024);

  /** Smaller ones are mostly in the hands of the system at once. */
  private static final int SMALL = 64 * 1024;

  /** Cuts the connection off when time is up; then the callback is told of a failure. */
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
