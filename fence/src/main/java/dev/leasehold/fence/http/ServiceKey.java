package dev.leasehold.fence.http;

import com.sun.net.httpserver.HttpExchange;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Function;

/** The key of a service's changes. The service determines it, not the request. */
record ServiceKey(Function<HttpExchange, LeaseKey> of) {

  /**
   * The request's claim; empty if it has none of this key, in which case the request was answered.
   */
  Optional<Claim> claimOf(HttpExchange exchange) throws IOException {
    String detail;
    try {
      Claim claim = FenceHeaders.read(exchange.getRequestHeaders());
      LeaseKey own = of.apply(exchange);
      if (claim.key().equals(own)) {
        return Optional.of(claim);
      }
      detail =
          "this is changed under the lease "
              + own
              + ", and the request brings a token of "
              + claim.key();
    } catch (IllFormedException e) {
      detail = String.valueOf(e.getMessage());
    }
    Problem.of(FenceFilter.BAD_REQUEST, "No usable token", detail).send(exchange);
    return Optional.empty();
  }
}
