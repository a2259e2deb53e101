package dev.leasehold.fence.http;

import dev.leasehold.fence.Admission;
import java.net.http.HttpResponse;

/** The answer to a request with a token. */
public sealed interface FencedResponse<T> {
  /** The token was not refused; the response says whether the request succeeded. */
  record Received<T>(HttpResponse<T> response) implements FencedResponse<T> {}

  /**
   * The token was refused, and nothing was changed. A holder that is refused as stale must stop.
   */
  record Refused<T>(Admission.Refused why) implements FencedResponse<T> {}
}
