package dev.leasehold.server.security;

import dev.leasehold.kernel.spi.Ticker;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Identifies the caller of a request. A key that was found is accepted for {@link #TRUSTED} without
 * asking the store again, and the answer that a key does not exist is kept as long, so that guessed
 * keys do not load the store.
 */
public final class Gatekeeper {
  /** How long a revoked key may still be accepted. */
  public static final Duration TRUSTED = Duration.ofSeconds(5);

  private static final int REMEMBERED = 10_000;
  private static final String SCHEME = "Bearer ";

  /**
   * Compared with if the key does not exist, so that a caller cannot tell this from the time it
   * took.
   */
  private static final ApiKey UNKNOWN_KEY =
      ApiKey.make("nobody", java.util.Set.of(Permission.READ), java.util.List.of("")).key();

  private final ApiKeys keys;
  private final boolean required;
  private final Ticker ticker;

  /** Guarded by its own monitor, which is held only briefly. */
  private final Map<String, Known> known =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Known> eldest) {
          return size() > REMEMBERED;
        }
      };

  private record Known(Optional<ApiKey> key, long untilNanos) {}

  public Gatekeeper(ApiKeys keys, boolean required, Ticker ticker) {
    this.keys = keys;
    this.required = required;
    this.ticker = ticker;
  }

  /** The gatekeeper's decision. */
  public sealed interface Admittance {}

  /** The caller is known. */
  public record KnownCaller(Principal principal) implements Admittance {}

  /** The request is refused, for this reason. */
  public record Unauthenticated(String why) implements Admittance {}

  /** Decides by the request's authorization header, if it has one. */
  public CompletionStage<Admittance> admit(Optional<String> authorization) {
    if (authorization.isEmpty()) {
      return done(
          required
              ? new Unauthenticated("an API key is needed: Authorization: Bearer KEY")
              : new KnownCaller(Principal.LOCAL));
    }
    Optional<ApiKey.Brought> brought =
        authorization
            .filter(text -> text.regionMatches(true, 0, SCHEME, 0, SCHEME.length()))
            .flatMap(text -> ApiKey.Brought.of(text.substring(SCHEME.length()).strip()));
    if (brought.isEmpty()) {
      return done(new Unauthenticated("this is not an API key"));
    }
    return find(brought.get().id()).thenApply(found -> judge(found, brought.get()));
  }

  private static CompletionStage<Admittance> done(Admittance admittance) {
    return CompletableFuture.completedFuture(admittance);
  }

  private static Admittance judge(Optional<ApiKey> found, ApiKey.Brought brought) {
    boolean opens = found.orElse(UNKNOWN_KEY).isOpenedBy(brought.secret());
    return found.isPresent() && opens
        ? new KnownCaller(found.get().principal())
        : new Unauthenticated("no such API key is known");
  }

  private CompletionStage<Optional<ApiKey>> find(String id) {
    synchronized (known) {
      Known remembered = known.get(id);
      if (remembered != null && remembered.untilNanos() - ticker.nanos() > 0) {
        return CompletableFuture.completedFuture(remembered.key());
      }
    }
    return keys.find(id)
        .thenApply(
            found -> {
              synchronized (known) {
                known.put(id, new Known(found, ticker.nanos() + TRUSTED.toNanos()));
              }
              return found;
            });
  }
}
