package dev.leasehold.fence.http;

import dev.leasehold.fence.Admission;
import java.net.http.HttpResponse;

/** What came back for a request that brought a token. */
public sealed interface Answer<T> {
  /** Not refused for its token; whether it succeeded, the response says. */
  record Received<T>(HttpResponse<T> response) implements Answer<T> {}

  /** Nothing was changed. A holder that is refused as stale stops. */
  record Refused<T>(Admission.Refused why) implements Answer<T> {}
}
