package dev.leasehold.store.jdbc.rows;

import dev.leasehold.kernel.spi.ChangeListener;
import dev.leasehold.kernel.spi.FencedCommand;
import dev.leasehold.kernel.spi.LeaseStore.Subscription;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.PurgeReport;
import dev.leasehold.store.jdbc.batches.Batches;
import dev.leasehold.store.jdbc.batches.Engine;
import dev.leasehold.store.jdbc.changes.Hints;
import dev.leasehold.store.jdbc.connections.Dialect;
import dev.leasehold.store.jdbc.effects.Effects;
import dev.leasehold.store.jdbc.housekeeping.Purging;
import dev.leasehold.store.jdbc.housekeeping.Sweep;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The rows of a block in a store: commands on them, watches of them, and their purge. */
public final class RowStore<C extends FencedCommand, O, H> {
  private final Parts parts;
  private final Batches<C, RowResult<O, H>> batches;
  private final Hints.Feed<H> changes;

  /** What a block shares with the leases. */
  public record Parts(
      Dialect dialect, Engine engine, Hints hints, Effects effects, Limits limits) {}

  public <K extends Comparable<? super K>> RowStore(Parts parts, RowTable<K, C, O, H> table) {
    this.parts = parts;
    this.changes = parts.hints().open(table.changes);
    this.batches = parts.engine().open(table);
  }

  /** Carries out a batch; watchers are told of what is committed, and the audit of refusals. */
  public CompletionStage<List<O>> apply(List<C> batch) {
    return batch.isEmpty()
        ? CompletableFuture.completedFuture(List.of())
        : batches.apply(batch).thenApply(this::tell);
  }

  private List<O> tell(List<RowResult<O, H>> settled) {
    changes.tell(settled);
    settled.stream()
        .flatMap(one -> one.refusal().stream())
        .forEach(
            refused ->
                parts
                    .effects()
                    .refused(refused.target(), refused.claim(), refused.row(), refused.why()));
    return settled.stream().map(RowResult::outcome).toList();
  }

  public Subscription watch(String topic, ChangeListener<H> listener) {
    return changes.watch(topic, listener);
  }

  /** A purge by hand. */
  public CompletionStage<PurgeReport> purge(Purging chore, int limit) {
    return new Sweep(parts.engine(), chore, limit).run();
  }
}
