package dev.leasehold.kernel.spi;

import dev.leasehold.fence.LeaseKey;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Where leases are kept. Its clock and its transactions decide; nobody else's do.
 *
 * <p>Every stage may complete exceptionally when the store cannot be reached; for {@link #apply}
 * that means that the outcome of each command is unknown.
 */
public interface LeaseStore extends AutoCloseable {
  /**
   * Carries out a batch and answers each command, in order. A batch is not a transaction: each
   * command stands alone, and one that fails does not spoil its neighbours. Commands on one key
   * take effect in the order given.
   *
   * <p>It returns at once: everything that a process holds waits for this call to return, though
   * not for the stage. A store that has to wait does so on threads of its own.
   *
   * <p>A renewal that is answered {@code Lost(Stalled)} has changed nothing; the store then ends
   * the grant by an {@link Command.EndStalled} of its own, before or after it answers.
   */
  CompletionStage<List<Outcome>> apply(List<Command> batch);

  /** What is on record for the key, and the store's time; readers are never blocked by a lease. */
  CompletionStage<Optional<LeaseReading>> read(LeaseKey key);

  /** Records whose key starts with a prefix, in the order of their keys, a page at a time. */
  CompletionStage<LeasePage> list(ListQuery query);

  /**
   * Tells of changes to keys that start with a prefix, as hints: one may come twice, late or never,
   * so whoever waits for one also holds a timer. Beginning and ending a watch may take their time.
   */
  Subscription watch(String prefix, ChangeListener<LeaseChange> listener);

  /** Purges up to a number of keys that have been dead for so long. */
  CompletionStage<PurgeReport> purge(PurgeQuery query);

  /** Ends every grant and issues higher tokens from now on: after a restore or a lossy failover. */
  CompletionStage<Advance.Outcome> advance(Advance advance);

  /** What points to writes that this store has lost. */
  CompletionStage<SuspectedRollbacks> suspectedRollbacks();

  /** What is kept for people of charters, seals and refusals; it decides nothing. */
  Ledger ledger();

  /** The bounds this store decides with. */
  Limits limits();

  @Override
  void close();

  /** A watch that can be ended. */
  interface Subscription extends AutoCloseable {
    @Override
    void close();
  }
}
