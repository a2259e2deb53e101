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
 * Stands before the handlers of one context and wants a claim on every request. One without is
 * answered 400, one whose token is refused 409, one that cannot be decided 503. Requests that
 * change nothing belong into a context without it.
 *
 * <p>The service says which key its changes are made under, always the same or one for each
 * request, and a request that names another is answered 400: a token of another key says nothing
 * about this change, and a key that nobody has written under would admit every token.
 */
public final class FenceFilter extends Filter {
  private static final String CLAIM = FenceFilter.class.getName() + ".claim";
  static final int BAD_REQUEST = 400;
  private static final int TOO_LARGE = 413;
  private static final int UNAVAILABLE = 503;

  /** Read before the fence is entered, so that no client can keep a successor waiting. */
  public static final int MAX_BODY_BYTES = 1 << 20;

  private final Fence fence;
  private final OwnKey key;
  private final Guarantee guarantee;
  private final Passage passage;

  private FenceFilter(Fence fence, OwnKey key, Guarantee guarantee, Passage passage) {
    this.fence = fence;
    this.key = key;
    this.guarantee = guarantee;
    this.passage = passage;
  }

  /** How a claim comes to the handler. */
  private interface Passage {
    Admission pass(Claim claim, HttpExchange exchange, Chain chain) throws IOException;
  }

  /**
   * The handler makes every change through this fence, with the {@link #claimOf claim} of its
   * exchange, and throws {@link RefusedException} if that was refused. It is as good as the fence,
   * if the handler does so: nobody else can see to that.
   */
  public static FenceFilter handlerChangesThrough(Fence fence, LeaseKey key) {
    return handlerChangesThrough(fence, exchange -> key);
  }

  /** The same for a service whose requests are made under a key each, as their path says. */
  public static FenceFilter handlerChangesThrough(
      Fence fence, Function<HttpExchange, LeaseKey> key) {
    return new FenceFilter(
        fence,
        new OwnKey(key),
        fence.guarantee(),
        (claim, exchange, chain) -> {
          chain.doFilter(exchange);
          return Admission.ADMITTED;
        });
  }

  /**
   * Every request is handled inside the fence, so that a seal waits for those with lower tokens.
   * Requests of one key are handled one after another; what a handler leaves to other threads is
   * not fenced. A body of more than a megabyte is answered 413, and an answer that a client does
   * not read is waited for: keep answers short.
   */
  public static FenceFilter around(MemoryFence fence, LeaseKey key) {
    return around(fence, exchange -> key);
  }

  /** The same for a service whose requests are made under a key each, as their path says. */
  public static FenceFilter around(MemoryFence fence, Function<HttpExchange, LeaseKey> key) {
    return new FenceFilter(
        fence,
        new OwnKey(key),
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

  /** Asks, and lets in: advice. An old holder's request that is slow after that goes through. */
  public static FenceFilter advising(Fence fence, LeaseKey key) {
    return advising(fence, exchange -> key);
  }

  /** The same for a service whose requests are made under a key each, as their path says. */
  public static FenceFilter advising(Fence fence, Function<HttpExchange, LeaseKey> key) {
    return new FenceFilter(
        fence,
        new OwnKey(key),
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

  /** What it says of itself, for the audit. */
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
      answering(exchange, target(), claim.get(), () -> passage.pass(claim.get(), exchange, chain));
    }
  }

  /** Something that is asked of a fence while a request waits for the answer. */
  interface Asking {
    Admission ask() throws IOException;
  }

  /** Answers what is not an admission; an admission is answered by whoever was let in. */
  static void answering(HttpExchange exchange, String target, Claim claim, Asking asking)
      throws IOException {
    Admission answer;
    try {
      answer = asking.ask();
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
