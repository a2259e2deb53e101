package dev.leasehold.verification.crash;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseStore;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.testkit.model.ForwardingStore;
import dev.leasehold.verification.engines.Database;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** What is planted into a worker's store, so that a check is seen to find it. */
enum Defect {
  NONE {
    @Override
    LeaseStore planted(LeaseStore store, String url) {
      return store;
    }
  },

  /** A client that goes on with another server, and no longer knows its ids: ServedCommands. */
  IDS_MADE_ANEW {
    @Override
    LeaseStore planted(LeaseStore store, String url) {
      return store;
    }
  },

  /**
   * A lock that somebody else has is deleted and made anew, as a clean-up of leftovers would: its
   * counter starts again, and it may still be in use. The row alone is not enough for that.
   */
  LEFTOVERS_DELETED {
    @Override
    LeaseStore planted(LeaseStore store, String url) {
      return new ForwardingStore(store) {
        @Override
        public CompletionStage<List<Outcome>> apply(List<Command> batch) {
          return super.apply(batch)
              .thenApply(
                  outcomes -> {
                    for (int i = 0; i < batch.size(); i++) {
                      if (outcomes.get(i) instanceof Outcome.Held) {
                        delete(batch.get(i).key());
                      }
                    }
                    return outcomes;
                  });
        }

        private void delete(LeaseKey key) {
          Database database = new Database(url);
          database.execute("DELETE FROM leasehold_lease WHERE key = '" + key.text() + "'");
          database.execute(
              "UPDATE leasehold_floor SET token ="
                  + " (SELECT CAST(incarnation AS bigint) << 40 FROM leasehold_store)"
                  + " WHERE bucket = "
                  + Buckets.of(key));
        }
      };
    }
  };

  abstract LeaseStore planted(LeaseStore store, String url);
}
