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
 * change with a lower token takes effect any more. Sealing twice is sealing once, so whoever got no
 * answer asks again. Whoever can reach it can lock holders out if the fence cannot see the issuer:
 * put whatever protects the service before it too.
 */
public final class SealHandler implements HttpHandler {
  private static final int OK = 200;
  private static final int WRONG_METHOD = 405;

  private final Fence fence;
  private final OwnKey key;

  /** Before a service whose changes are all made under this key; another's seal is answered 400. */
  public SealHandler(Fence fence, LeaseKey key) {
    this(fence, exchange -> key);
  }

  /** Before one whose requests are made under a key each, as the path of the seal says. */
  public SealHandler(Fence fence, Function<HttpExchange, LeaseKey> key) {
    this.fence = fence;
    this.key = new OwnKey(key);
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
