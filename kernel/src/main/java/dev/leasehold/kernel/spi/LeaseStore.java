package dev.leasehold.kernel.spi;

import dev.leasehold.fence.LeaseKey;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Where leases are kept. Only its clock and its transactions decide.
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
   * <p>It returns at once: all leases of a process wait for this call to return, though not for the
   * stage. A store that must wait does so on its own threads.
   *
   * <p>A renewal that is answered {@code Lost(Stalled)} has changed nothing; the store then ends
   * the grant by an {@link Command.EndStalled} of its own, before or after it answers.
   */
  CompletionStage<List<Outcome>> apply(List<Command> batch);

  /** The record of the key, and the store's time. A lease never blocks a reader. */
  CompletionStage<Optional<LeaseReading>> read(LeaseKey key);

  /** Records whose key starts with a prefix, in the order of their keys, a page at a time. */
  CompletionStage<LeasePage> list(ListQuery query);

  /**
   * Tells of changes to keys that start with a prefix, as hints: one may come twice, late or never,
   * so a waiter also sets a timer. Beginning and ending a watch may block.
   */
  Subscription watch(String prefix, ChangeListener<LeaseChange> listener);

  /** Purges a limited number of keys that have been dead for the query's time. */
  CompletionStage<PurgeReport> purge(PurgeQuery query);

  /** Ends every grant and issues higher tokens from now on: after a restore or a lossy failover. */
  CompletionStage<Advance.Outcome> advance(Advance advance);

  /** Evidence that this store has lost writes. */
  CompletionStage<SuspectedRollbacks> suspectedRollbacks();

  /** Charters, seals and refusals, recorded for people. No decision depends on them. */
  Ledger ledger();

  /** The bounds that this store applies. */
  Limits limits();

  @Override
  void close();

  /** A watch that can be ended. */
  interface Subscription extends AutoCloseable {
    @Override
    void close();
  }
}
