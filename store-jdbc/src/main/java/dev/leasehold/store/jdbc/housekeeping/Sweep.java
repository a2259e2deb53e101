package dev.leasehold.store.jdbc.housekeeping;

import dev.leasehold.kernel.spi.PurgeReport;
import dev.leasehold.kernel.spi.Ticker;
import dev.leasehold.store.jdbc.batches.Engine;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A purge by hand: from the first row to the last, a transaction for each page. */
public final class Sweep {
  private static final Ticker TICKER = Ticker.system();

  private final Engine engine;
  private final Purging chore;
  private final int limit;
  private final PageSize size = new PageSize();

  public Sweep(Engine engine, Purging chore, int limit) {
    this.engine = engine;
    this.chore = chore;
    this.limit = limit;
  }

  private record Done(Place next, int purged) {}

  public CompletionStage<PurgeReport> run() {
    return from(new Done(Place.START, 0));
  }

  private CompletionStage<PurgeReport> from(Done before) {
    if (Housekeeping.isEnd(before.next()) || before.purged() == limit) {
      return CompletableFuture.completedFuture(new PurgeReport(before.purged()));
    }
    return engine
        .change(transactions -> transactions.run(connection -> page(connection, before)))
        .thenCompose(this::from);
  }

  private Done page(StoreConnection connection, Done before) throws SQLException {
    long begunNanos = TICKER.nanos();
    Housekeeping.bound(connection);
    long now = Housekeeping.clock(connection);
    Page page = chore.page(connection, size.after(before.next()), now);
    int purged = chore.purge(connection, page, now, limit - before.purged());
    size.took(TICKER.nanos() - begunNanos, page.full());
    return new Done(page.next(), before.purged() + purged);
  }
}
