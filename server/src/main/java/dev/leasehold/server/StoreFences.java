package dev.leasehold.server;

import dev.leasehold.fence.Fence;
import dev.leasehold.fence.FenceUnavailableException;
import dev.leasehold.fence.IssuedTokens;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.fence.jdbc.JdbcFence;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.LeaseRecord;
import dev.leasehold.kernel.spi.AnswerTimes;
import dev.leasehold.kernel.spi.LeaseReading;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Store;
import dev.leasehold.store.jdbc.StoreMarks;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * Fences that can read the store which issues the tokens. They do not write their refusals into the
 * ledger; their caller does.
 */
final class StoreFences {
  private StoreFences() {}

  /**
   * Marks beside the leases: in a database all replicas share them and they are durable; beside
   * leases in memory they are lost with the leases.
   */
  static Function<String, Fence> beside(Store store) {
    IssuedTokens issued = issuedBy(store.leases());
    return store
        .part(StoreMarks.class)
        .<Function<String, Fence>>map(
            marks -> target -> marks.fence(target).issuedBy(issued).withoutRefusals())
        .orElseGet(() -> new MemoryFences(issued));
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
    // A token below the latest number belongs to an earlier grant, or an operator set the counter
    // above it.
    return granted || token.isBelow(record.last())
        ? new IssuedTokens.Granted()
        : new IssuedTokens.Voided();
  }

  private static Optional<LeaseReading> read(LeaseStore store, LeaseKey key) {
    try {
      return store
          .read(key)
          .toCompletableFuture()
          .get(AnswerTimes.COMMANDS.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FenceUnavailableException("interrupted while the store was asked", e);
    } catch (ExecutionException | TimeoutException e) {
      throw new FenceUnavailableException("the store that issues tokens does not answer", e);
    }
  }
}
