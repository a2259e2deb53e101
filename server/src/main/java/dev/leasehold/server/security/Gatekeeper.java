package dev.leasehold.server.security;

import dev.leasehold.kernel.spi.Ticker;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Says who a request comes from. A key that was found is taken for {@link #TRUSTED} without asking
 * the store again, and so is the word that there is none: guesses must not be what the store is
 * busy with.
 */
public final class Gatekeeper {
  /** How long a revoked key may still be taken. */
  public static final Duration TRUSTED = Duration.ofSeconds(5);

  private static final int REMEMBERED = 10_000;
  private static final String SCHEME = "Bearer ";

  /** Compared with when there is no such key, so that nobody can tell by the time it took. */
  private static final ApiKey NOBODY =
      ApiKey.make("nobody", java.util.Set.of(Permission.READ), java.util.List.of("")).key();

  private final ApiKeys keys;
  private final boolean required;
  private final Ticker ticker;

  /** Guarded by its own monitor, held for moments. */
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

  /** What the gatekeeper says. */
  public sealed interface Admittance {}

  /** Come in. */
  public record KnownCaller(Principal principal) implements Admittance {}

  /** Stay out, for this reason. */
  public record Stranger(String why) implements Admittance {}

  /** By the header that a request has brought, if it has. */
  public CompletionStage<Admittance> admit(Optional<String> authorization) {
    if (authorization.isEmpty()) {
      return done(
          required
              ? new Stranger("an API key is needed: Authorization: Bearer KEY")
              : new KnownCaller(Principal.LOCAL));
    }
    Optional<ApiKey.Brought> brought =
        authorization
            .filter(text -> text.regionMatches(true, 0, SCHEME, 0, SCHEME.length()))
            .flatMap(text -> ApiKey.Brought.of(text.substring(SCHEME.length()).strip()));
    if (brought.isEmpty()) {
      return done(new Stranger("what was brought is no API key"));
    }
    return find(brought.get().id()).thenApply(found -> judge(found, brought.get()));
  }

  private static CompletionStage<Admittance> done(Admittance admittance) {
    return CompletableFuture.completedFuture(admittance);
  }

  private static Admittance judge(Optional<ApiKey> found, ApiKey.Brought brought) {
    boolean opens = found.orElse(NOBODY).isOpenedBy(brought.secret());
    return found.isPresent() && opens
        ? new KnownCaller(found.get().principal())
        : new Stranger("no such API key is known");
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
