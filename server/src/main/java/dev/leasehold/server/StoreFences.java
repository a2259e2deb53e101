package dev.leasehold.server;

import dev.leasehold.fence.Fence;
import dev.leasehold.fence.FenceUnavailableException;
import dev.leasehold.fence.IssuedTokens;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.MemoryFence;
import dev.leasehold.fence.RefusalTrail;
import dev.leasehold.fence.Token;
import dev.leasehold.fence.jdbc.JdbcFence;
import dev.leasehold.kernel.Grant;
import dev.leasehold.kernel.LeaseRecord;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.LeaseStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import javax.sql.DataSource;

/** Fences that see the store which issues the tokens. */
final class StoreFences {
  private static final int REFUSALS_KEPT = 100;
  private static final Duration PATIENCE = Duration.ofMillis(4_900);

  private StoreFences() {}

  /** Marks in this process: right for one server, and forgotten with it. */
  static Function<String, Fence> inMemory(LeaseStore store) {
    IssuedTokens issued = issuedBy(store);
    return target ->
        new MemoryFence(target, new RefusalTrail(InstantSource.system(), REFUSALS_KEPT), issued);
  }

  /** Marks in a database: the same for all replicas, and there for good. */
  static Function<String, Fence> in(DataSource database, LeaseStore store) {
    IssuedTokens issued = issuedBy(store);
    return target -> JdbcFence.before(target, database).issuedBy(issued);
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
