package dev.leasehold.benchmarks.throughput;

import dev.leasehold.benchmarks.rivals.Candidates;
import dev.leasehold.blocks.leader.Election;
import dev.leasehold.blocks.leader.LeaderLoop;
import dev.leasehold.kernel.Leases;
import dev.leasehold.store.jdbc.JdbcStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Leasehold's elections, each with one loop that runs until it is told to end. */
final class ElectionCandidates implements Candidates {
  /**
   * Silenced, because logging a line for each of a thousand elections would disturb the
   * measurement.
   */
  private static final Logger ELECTIONS = Logger.getLogger(Election.class.getName());

  private final JdbcStore store;
  private final Leases leases;
  private final Duration ttl;
  private final List<Election> elections = new CopyOnWriteArrayList<>();

  private ElectionCandidates(JdbcStore store, Duration ttl) {
    this.store = store;
    this.leases = Leases.on(store).holder("candidate").open();
    this.ttl = ttl;
  }

  static Candidates open(String url, Duration ttl) {
    ELECTIONS.setLevel(Level.WARNING);
    return new ElectionCandidates(JdbcStore.at(url).migrate().open(), ttl);
  }

  /** The loop calls {@code elected} when it starts to run. */
  @Override
  public void stand(String name, Runnable elected) {
    elections.add(
        Election.on(leases)
            .named(name)
            .ttl(ttl)
            .loop(
                LeaderLoop.stream(
                    "work",
                    leading -> {
                      elected.run();
                      Void unused = leading.ending().toCompletableFuture().get();
                    }))
            .start());
  }

  @Override
  public void close() {
    Candidates.endAll(elections, Election::close);
    leases.close();
    store.close();
  }
}
