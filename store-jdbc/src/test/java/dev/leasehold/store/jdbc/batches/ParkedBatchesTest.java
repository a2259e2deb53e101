package dev.leasehold.store.jdbc.batches;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.store.jdbc.connections.ConnectionSource;
import dev.leasehold.store.jdbc.connections.ConnectionWork;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.status.LockHolder;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class ParkedBatchesTest {
  private static final ConnectionSource AWAY =
      new ConnectionSource() {
        @Override
        public <T> T use(ConnectionWork<T> work) throws SQLException {
          throw new SQLException("away", "08006");
        }

        @Override
        public void close() {}
      };

  /** Commands are names of rows, and every row is locked. */
  private static final class AllLocked implements Table<String, String, String> {
    @Override
    public String place(String command) {
      return command;
    }

    @Override
    public boolean isFinal(String command, String settled) {
      return true;
    }

    @Override
    public String failed(Certainty certainty, String detail) {
      return certainty + ": " + detail;
    }

    @Override
    public boolean keepsLeases() {
      return true;
    }

    @Override
    public boolean isUrgent(String command) {
      return false;
    }

    @Override
    public TableBatch<String, String, String> begin(
        List<String> batch, Attempts attempts, LockedPlaces<String> lockedPlaces) {
      return new TableBatch<>(this, batch, attempts, lockedPlaces) {
        @Override
        protected void settle(List<Integer> round) {
          round.forEach(this::leaveOpen);
        }

        @Override
        protected List<String> decideInOrder(StoreConnection connection, List<String> commands) {
          return commands;
        }
      };
    }

    @Override
    public List<String> decide(StoreConnection connection, List<String> batch) {
      return batch;
    }

    @Override
    public Set<String> locked(StoreConnection connection, List<String> places) {
      return Set.copyOf(places);
    }

    @Override
    public List<LockHolder> lockHolders(StoreConnection connection, String place) {
      return List.of();
    }
  }

  private static TableBatch<String, String, String> locked(String row) {
    LockedPlaces<String> places =
        new LockedPlaces<>(place -> CompletableFuture.completedFuture(List.of()), Ticker.system());
    TableBatch<String, String, String> batch =
        new AllLocked().begin(List.of(row), new Attempts(AWAY, new Backoff()), places);
    assertThat(batch.advance(Set.of())).isFalse();
    return batch;
  }

  /** A thread of the lane may come with it while the store is being closed. */
  @Test
  void a_batch_that_is_parked_after_the_end_is_answered_as_one_from_before_it() {
    try (Lane lane = new Lane("test", 1)) {
      ParkedBatches<String, String, String> parkedBatches =
          new ParkedBatches<>(new AllLocked(), lane, () -> new Attempts(AWAY, new Backoff()));
      CompletionStage<List<String>> before = parkedBatches.park(locked("before"));
      parkedBatches.close();
      CompletionStage<List<String>> after = parkedBatches.park(locked("after"));
      String answer = "NOT_APPLIED: " + LockedPlaces.LOCKED;
      assertThat(before.toCompletableFuture()).isCompletedWithValue(List.of(answer));
      assertThat(after.toCompletableFuture()).isCompletedWithValue(List.of(answer));
    }
  }
}
