package dev.leasehold.store.jdbc.housekeeping;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.HolderInfo;
import dev.leasehold.kernel.model.Instance;
import dev.leasehold.kernel.model.LeaseCharter;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.model.Terms;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Ledger;
import dev.leasehold.kernel.spi.LedgerEntry;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.kernel.spi.Ticker;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * The lease that decides which process tidies a store: a key like any other, taken and renewed by
 * the store's own commands. For one thread at a time.
 */
public final class HousekeepingLease {
  public static final LeaseKey KEY = new LeaseKey("leasehold/housekeeping");

  /** No longer than the shortest hold-off; otherwise an advance would have to prolong it. */
  public static final Duration TTL = Duration.ofSeconds(30);

  /** Renewed by the thread that tidies, so a renewal proves progress. */
  private static final LeaseCharter CHARTER =
      LeaseCharter.of(
              KEY.kind(),
              LeaseCharter.Payload.COORDINATION,
              "nothing: if two processes tidy a store at once, one of them does needless work")
          .ttl(TTL)
          .stallAfter(Duration.ofMinutes(2));

  private static final System.Logger LOG = System.getLogger(HousekeepingLease.class.getName());
  private static final long RENEWAL_NANOS = TTL.dividedBy(3).toNanos();
  private static final long MARGIN_NANOS = TTL.dividedBy(10).toNanos();
  private static final long RELEASE_SECONDS = 1;

  private final Function<List<Command>, CompletionStage<List<Outcome>>> store;
  private final Ledger ledger;
  private final Ticker ticker;
  private final Instance self = Instance.random();
  private Optional<Held> held = Optional.empty();

  private record Held(Token token, long renewals, long askedNanos, long trustedUntilNanos) {}

  public HousekeepingLease(
      Function<List<Command>, CompletionStage<List<Outcome>>> store, Ledger ledger, Ticker ticker) {
    this.store = store;
    this.ledger = ledger;
    this.ticker = ticker;
  }

  /** Which process has the lease. */
  sealed interface Holding {}

  public record HeldHere(Token token) implements Holding {}

  /** Another process has it; this one may ask again after this time. */
  record HeldElsewhere(Duration remaining) implements Holding {}

  /** Takes the lease, or renews it when a third of its time is over. */
  public Holding take() {
    long now = ticker.nanos();
    if (held.isPresent() && now - held.get().askedNanos() < RENEWAL_NANOS) {
      return new HeldHere(held.get().token());
    }
    if (held.isPresent() && renew(held.get(), now)) {
      return new HeldHere(held.get().token());
    }
    if (held.isPresent() && now - held.get().trustedUntilNanos() < 0) {
      // No answer came, but the lease may still be trusted.
      return new HeldHere(held.get().token());
    }
    held = Optional.empty();
    return acquire();
  }

  private boolean renew(Held now, long sentNanos) {
    long renewals = now.renewals() + 1;
    Outcome outcome =
        ask(new Command.Renew(KEY, now.token(), self, OptionalLong.empty(), renewals));
    if (outcome instanceof Outcome.Renewed renewed) {
      long trusted = trustedUntil(sentNanos, renewed.remainingMillis());
      held = Optional.of(new Held(now.token(), renewals, sentNanos, trusted));
      return true;
    }
    if (outcome instanceof Outcome.Lost) {
      held = Optional.empty();
    }
    return false;
  }

  private static long trustedUntil(long sentNanos, long remainingMillis) {
    return sentNanos + TimeUnit.MILLISECONDS.toNanos(remainingMillis) - MARGIN_NANOS;
  }

  private Holding acquire() {
    long sentNanos = ticker.nanos();
    Terms terms = terms();
    Outcome outcome = ask(Command.Acquire.of(KEY, self, RequestId.random(), terms));
    if (outcome instanceof Outcome.Granted granted) {
      Token token = granted.grant().token();
      long trusted = trustedUntil(sentNanos, granted.remainingMillis());
      held = Optional.of(new Held(token, 0, sentNanos, trusted));
      // For people only, so nothing waits for it.
      var unused = ledger.write(List.of(new LedgerEntry.Chartered(CHARTER, terms.info().holder())));
      return new HeldHere(token);
    }
    return outcome instanceof Outcome.Held other
        ? new HeldElsewhere(Duration.ofMillis(other.remainingMillis()))
        : new HeldElsewhere(Duration.ZERO);
  }

  private Terms terms() {
    String holder =
        Optional.ofNullable(System.getenv("HOSTNAME"))
            .filter(name -> !name.isBlank())
            .orElseGet(() -> self.id().text().substring(0, 12));
    return Terms.of(holder, TTL)
        .withInfo(HolderInfo.named(holder).withPurpose("housekeeping"))
        .withStallLimit(CHARTER.stallLimit());
  }

  private Outcome ask(Command command) {
    try {
      return store.apply(List.of(command)).toCompletableFuture().join().getFirst();
    } catch (CompletionException e) {
      LOG.log(Level.DEBUG, "no answer about the lease of housekeeping", e);
      return new Outcome.Failed(Outcome.Certainty.UNKNOWN, String.valueOf(e.getMessage()));
    }
  }

  /** Forgets the lease, which another process has by now. */
  void lost() {
    held = Optional.empty();
  }

  /** Releases the lease, so that another process can have it at once. */
  void release() {
    if (held.isEmpty()) {
      return;
    }
    Token token = held.get().token();
    held = Optional.empty();
    try {
      Outcome unused =
          store
              .apply(List.of(new Command.Release(KEY, token, self, RequestId.random())))
              .toCompletableFuture()
              .orTimeout(RELEASE_SECONDS, TimeUnit.SECONDS)
              .join()
              .getFirst();
    } catch (CompletionException e) {
      LOG.log(Level.DEBUG, "the lease of housekeeping expires by itself", e);
    }
  }
}
