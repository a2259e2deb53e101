package dev.leasehold.server;

import dev.leasehold.fence.Fence;
import dev.leasehold.fence.FenceUnavailableException;
import dev.leasehold.fence.IssuedTokens;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.fence.jdbc.JdbcFence;
import dev.leasehold.kernel.Grant;
import dev.leasehold.kernel.LeaseRecord;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.store.jdbc.JdbcLeaseStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * Fences that see the store which issues the tokens. What they refuse is written into the ledger by
 * whoever asks them.
 */
final class StoreFences {
  private static final Duration PATIENCE = Duration.ofMillis(4_900);

  private StoreFences() {}

  /**
   * Marks where the leases are: in a database they are the same for all replicas, and there for
   * good; beside leases in memory they are forgotten with them.
   */
  static Function<String, Fence> beside(LeaseStore store) {
    IssuedTokens issued = issuedBy(store);
    return store instanceof JdbcLeaseStore jdbc
        ? target -> jdbc.fence(target).issuedBy(issued).withoutRefusals()
        : new MemoryFences(issued);
  }

  /** Marks in another database. */
  static Function<String, Fence> in(DataSource database, LeaseStore store) {
    IssuedTokens issued = issuedBy(store);
    return target -> JdbcFence.before(target, database).issuedBy(issued).withoutRefusals();
  }

  static IssuedTokens issuedBy(LeaseStore store) {
    return (key, token) -> issueOf(read(store, key), token);
  }

  private static IssuedTokens.Issue issueOf(Optional<LeaseReading> reading, Token token) {
    if (reading.isEmpty()) {
      return new IssuedTokens.Never(Optional.empty());
    }
    LeaseRecord record = reading.get().record();
    if (token.isAbove(record.last())) {
      return new IssuedTokens.Never(Optional.of(record.last()));
    }
    boolean granted = record.grant().map(Grant::token).filter(token::equals).isPresent();
    // What lies below the latest number is an earlier grant's, or was put above one.
    return granted || token.isBelow(record.last())
        ? new IssuedTokens.Granted()
        : new IssuedTokens.Voided();
  }

  private static Optional<LeaseReading> read(LeaseStore store, LeaseKey key) {
    try {
      return store.read(key).toCompletableFuture().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FenceUnavailableException("interrupted while the store was asked", e);
    } catch (ExecutionException | TimeoutException e) {
      throw new FenceUnavailableException("the store that issues tokens does not answer", e);
    }
  }
}
