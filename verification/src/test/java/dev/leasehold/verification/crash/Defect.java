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

/** A defect that is planted into a worker's store, to show that a check finds it. */
enum Defect {
  NONE {
    @Override
    LeaseStore planted(LeaseStore store, String url) {
      return store;
    }
  },

  /** A client that moves to another server and forgets its request ids: see ServedCommands. */
  IDS_MADE_ANEW {
    @Override
    LeaseStore planted(LeaseStore store, String url) {
      return store;
    }
  },

  /**
   * A lock that another worker holds is deleted and created again, as a clean-up of leftovers would
   * do: its counter starts again while the lock may be in use. Deleting the row alone would not
   * reset the counter.
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
