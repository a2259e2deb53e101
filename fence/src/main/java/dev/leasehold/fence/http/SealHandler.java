package dev.leasehold.fence.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.Fence;
import dev.leasehold.fence.LeaseKey;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Lets successors seal a service: {@code POST} with the headers of a claim, answered 200 when no
 * change with a lower token takes effect any more. A seal can be repeated, so a caller that got no
 * answer asks again. If the fence cannot reach the issuer, every client of this handler can lock
 * holders out: protect it like the service itself.
 */
public final class SealHandler implements HttpHandler {
  private static final int OK = 200;
  private static final int WRONG_METHOD = 405;

  private final Fence fence;
  private final ServiceKey key;

  /**
   * For a service whose changes are all made under this key; a seal of another key is answered 400.
   */
  public SealHandler(Fence fence, LeaseKey key) {
    this(fence, exchange -> key);
  }

  /** For a service that determines the key of each request, from the path of the seal. */
  public SealHandler(Fence fence, Function<HttpExchange, LeaseKey> key) {
    this.fence = fence;
    this.key = new ServiceKey(key);
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    if (!exchange.getRequestMethod().equals("POST")) {
      exchange.getResponseHeaders().set("Allow", "POST");
      Problem.of(WRONG_METHOD, "Wrong method", "a seal is a POST").send(exchange);
      return;
    }
    Optional<Claim> claim = key.claimOf(exchange);
    if (claim.isPresent()) {
      FenceFilter.answering(
          exchange, fence.target(), claim.get(), () -> seal(exchange, claim.get()));
    }
  }

  private Admission seal(HttpExchange exchange, Claim claim) throws IOException {
    Admission answer = fence.seal(claim);
    if (answer instanceof Admission.Admitted) {
      Problem.send(exchange, OK, "application/json", Problem.json(Map.of("outcome", "admitted")));
    }
    return answer;
  }
}
