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
 * Notices that a caller closes its connection while its request waits. A server that has read a
 * whole request reads no further before it has answered, and would not see the connection end; this
 * class therefore asks the connection for a notification when it has something to read. It also
 * cuts off a caller that sends its next request before the waiting one is answered. HTTP clients do
 * not do this, and the API does not support it.
 */
final class ClientDisconnect implements AutoCloseable {
  private final EndPoint connection;
  private final Runnable gone;
  private final AtomicBoolean closed = new AtomicBoolean();

  private ClientDisconnect(Request request, Runnable gone) {
    this.connection = request.getConnectionMetaData().getConnection().getEndPoint();
    this.gone = gone;
  }

  static ClientDisconnect of(Request request, Runnable gone) {
    ClientDisconnect disconnect = new ClientDisconnect(request, gone);
    // A waiting request is not idle.
    request.addIdleTimeoutListener(timeout -> false);
    request.addFailureListener(failure -> gone.run());
    disconnect.listen();
    return disconnect;
  }

  private void listen() {
    if (!closed.get()) {
      // If this returns false, another reader is registered already and notifies the listener
      // above.
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

  /**
   * Called before the answer is written, because the connection registers its own read after it.
   */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true) && connection instanceof AbstractEndPoint endPoint) {
      endPoint.getFillInterest().onFail(new CancellationException("no longer of interest"));
    }
  }
}
