package dev.leasehold.server.http;

import dev.leasehold.remote.wire.Problem;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Renders errors that occur before a request reaches our handler as problem documents. */
public final class ProblemErrors implements Request.Handler {
  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    int status = response.getStatus();
    Problem problem =
        new Problem(
            status, HttpStatus.getMessage(status), "the request is not one that can be answered");
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, Problem.MEDIA_TYPE);
    if (status == Status.UNAVAILABLE) {
      response.getHeaders().put(HttpHeader.RETRY_AFTER, "1");
    }
    response.write(true, ByteBuffer.wrap(problem.bytes()), callback);
    return true;
  }
}
