package dev.leasehold.server.http;

import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.io.AbstractEndPoint;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;

/**
 * Notices that a caller has closed its connection while its request waits. A server that has read a
 * whole request does not read on before it has answered, and so would not see the end of it. This
 * asks the connection to say when there is something to read. A caller that sends its next request
 * ahead of the answer to one that waits is cut off, too: nobody does, and nobody may rely on it.
 */
final class Departure implements AutoCloseable {
  private final EndPoint connection;
  private final Runnable gone;
  private final AtomicBoolean closed = new AtomicBoolean();

  private Departure(Request request, Runnable gone) {
    this.connection = request.getConnectionMetaData().getConnection().getEndPoint();
    this.gone = gone;
  }

  static Departure of(Request request, Runnable gone) {
    Departure departure = new Departure(request, gone);
    // Waiting is no idleness.
    request.addIdleTimeoutListener(timeout -> false);
    request.addFailureListener(failure -> gone.run());
    departure.listen();
    return departure;
  }

  private void listen() {
    if (!closed.get()) {
      // If it is refused somebody reads already, and tells the listener above.
      boolean unused = connection.tryFillInterested(new Readiness());
    }
  }

  private final class Readiness implements Callback {
    @Override
    public void succeeded() {
      if (closed.get()) {
        return;
      }
      try {
        if (connection.fill(BufferUtil.allocate(1)) == 0) {
          listen();
        } else {
          gone.run();
        }
      } catch (IOException e) {
        gone.run();
      }
    }

    @Override
    public void failed(Throwable failure) {
      if (!closed.get()) {
        gone.run();
      }
    }

    @Override
    public InvocationType getInvocationType() {
      return InvocationType.NON_BLOCKING;
    }
  }

  /** Before the answer is written: the connection itself wants to read again after it. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true) && connection instanceof AbstractEndPoint endPoint) {
      endPoint.getFillInterest().onFail(new CancellationException("no longer of interest"));
    }
  }
}
