package dev.leasehold.fence.http;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpExchange;
import dev.leasehold.fence.Admission;
import dev.leasehold.fence.Changed;
import dev.leasehold.fence.Claim;
import dev.leasehold.fence.Fence;
import dev.leasehold.fence.FenceFullException;
import dev.leasehold.fence.FenceUnavailableException;
import dev.leasehold.fence.Guarantee;
import dev.leasehold.fence.Guarantee.Atomicity;
import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.MemoryFence;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.function.Function;

/**
 * Requires a claim on every request to one context. A request without a claim is answered 400, one
 * whose token is refused 409, one that cannot be decided 503. Requests that change nothing belong
 * in a context without this filter.
 *
 * <p>The service determines the key of its changes, either one key for all or one for each request,
 * and a request that names another is answered 400: a token of another key proves nothing about
 * this change, and a key that was never used would admit every token.
 */
public final class FenceFilter extends Filter {
  private static final String CLAIM = FenceFilter.class.getName() + ".claim";
  static final int BAD_REQUEST = 400;
  private static final int TOO_LARGE = 413;
  private static final int UNAVAILABLE = 503;

  /**
   * The longest body that is read before the fence is entered, so that no client can keep a
   * successor waiting.
   */
  public static final int MAX_BODY_BYTES = 1 << 20;

  private final Fence fence;
  private final ServiceKey key;
  private final Guarantee guarantee;
  private final Handling handling;

  private FenceFilter(Fence fence, ServiceKey key, Guarantee guarantee, Handling handling) {
    this.fence = fence;
    this.key = key;
    this.guarantee = guarantee;
    this.handling = handling;
  }

  /** How a request with a claim reaches the handler. */
  private interface Handling {
    Admission pass(Claim claim, HttpExchange exchange, Chain chain) throws IOException;
  }

  /**
   * The handler makes every change through this fence, with the {@link #claimOf claim} of its
   * exchange, and throws {@link RefusedException} if that was refused. The filter cannot check
   * this: the guarantee is that of the fence only if the handler does so.
   */
  public static FenceFilter handlerChangesThrough(Fence fence, LeaseKey key) {
    return handlerChangesThrough(fence, exchange -> key);
  }

  /** The same for a service that determines the key of each request, from its path. */
  public static FenceFilter handlerChangesThrough(
      Fence fence, Function<HttpExchange, LeaseKey> key) {
    return new FenceFilter(
        fence,
        new ServiceKey(key),
        fence.guarantee(),
        (claim, exchange, chain) -> {
          chain.doFilter(exchange);
          return Admission.ADMITTED;
        });
  }

  /**
   * Handles every request inside the fence, so that a seal waits for those with lower tokens.
   * Requests of one key are handled one after another; work that a handler passes to other threads
   * is not fenced. A body of more than a megabyte is answered 413. The fence also waits while a
   * client reads the answer, so keep answers short.
   */
  public static FenceFilter around(MemoryFence fence, LeaseKey key) {
    return around(fence, exchange -> key);
  }

  /** The same for a service that determines the key of each request, from its path. */
  public static FenceFilter around(MemoryFence fence, Function<HttpExchange, LeaseKey> key) {
    return new FenceFilter(
        fence,
        new ServiceKey(key),
        fence.guarantee(),
        (claim, exchange, chain) -> {
          if (!readBody(exchange)) {
            return Admission.ADMITTED;
          }
          Changed<Admission> outcome =
              fence.changeAndGet(
                  claim,
                  () -> {
                    chain.doFilter(exchange);
                    return Admission.ADMITTED;
                  });
          return switch (outcome) {
            case Changed.Made<Admission> made -> made.result();
            case Changed.NotMade<Admission> notMade -> notMade.why();
          };
        });
  }

  /**
   * Asks the fence and lets the request in, which is only advice: an old holder's request that is
   * slow after the check goes through.
   */
  public static FenceFilter advising(Fence fence, LeaseKey key) {
    return advising(fence, exchange -> key);
  }

  /** The same for a service that determines the key of each request, from its path. */
  public static FenceFilter advising(Fence fence, Function<HttpExchange, LeaseKey> key) {
    return new FenceFilter(
        fence,
        new ServiceKey(key),
        new Guarantee(fence.guarantee().mark(), Atomicity.ADVICE),
        (claim, exchange, chain) -> {
          Admission answer = fence.admit(claim);
          if (answer instanceof Admission.Admitted) {
            chain.doFilter(exchange);
          }
          return answer;
        });
  }

  /** The claim of a request that this filter has let in. */
  public static Claim claimOf(HttpExchange exchange) {
    if (exchange.getAttribute(CLAIM) instanceof Claim claim) {
      return claim;
    }
    throw new IllegalStateException("no FenceFilter stands before this handler");
  }

  /** The guarantee of this filter, for the audit. */
  public Guarantee guarantee() {
    return guarantee;
  }

  public String target() {
    return fence.target();
  }

  @Override
  public String description() {
    return "checks the token of a lease before " + fence.target();
  }

  @Override
  public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
    Optional<Claim> claim = key.claimOf(exchange);
    if (claim.isPresent()) {
      exchange.setAttribute(CLAIM, claim.get());
      answering(exchange, target(), claim.get(), () -> handling.pass(claim.get(), exchange, chain));
    }
  }

  /** A call to a fence while a request waits for its answer. */
  interface FenceCall {
    Admission ask() throws IOException;
  }

  /** Answers the request unless the claim is admitted; then the handler answers it. */
  static void answering(HttpExchange exchange, String target, Claim claim, FenceCall call)
      throws IOException {
    Admission answer;
    try {
      answer = call.ask();
    } catch (RefusedException e) {
      answer = e.refused();
    } catch (FenceUnavailableException | FenceFullException e) {
      Problem.of(UNAVAILABLE, "The token could not be checked", String.valueOf(e.getMessage()))
          .send(exchange);
      return;
    } catch (IllFormedException e) {
      if (exchange.getResponseCode() >= 0) {
        throw e;
      }
      Problem.of(BAD_REQUEST, "No such change", String.valueOf(e.getMessage())).send(exchange);
      return;
    }
    if (answer instanceof Admission.Refused refused) {
      Problem.refused(target, claim, refused).send(exchange);
    }
  }

  private static boolean readBody(HttpExchange exchange) throws IOException {
    InputStream body = exchange.getRequestBody();
    byte[] bytes = body.readNBytes(MAX_BODY_BYTES + 1);
    if (bytes.length > MAX_BODY_BYTES) {
      Problem.of(
              TOO_LARGE,
              "Body too large",
              "a change that is made while its successor waits has at most "
                  + MAX_BODY_BYTES
                  + " bytes")
          .send(exchange);
      return false;
    }
    exchange.setStreams(new ByteArrayInputStream(bytes), null);
    return true;
  }
}
