package dev.leasehold.store.jdbc;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.store.jdbc.batches.Engine;
import dev.leasehold.store.jdbc.leases.PastGrantChore;
import dev.leasehold.store.jdbc.leases.Reasons;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The latest past grants of a key, each followed by another one, for people. */
public final class PastGrants {
  private final Engine engine;

  PastGrants(Engine engine) {
    this.engine = engine;
  }

  /** Newest first. */
  public CompletionStage<List<PastGrant>> of(LeaseKey key) {
    return engine.read(
        connection ->
            connection.list(
                row -> read(row), "history", Buckets.of(key), key.text(), PastGrantChore.KEPT));
  }

  private static PastGrant read(ResultSet row) throws SQLException {
    return new PastGrant(
        new Token(row.getLong(1)),
        new InstanceId(row.getString(2)),
        row.getString(3),
        row.getString(4),
        row.getString(5),
        row.getLong(6),
        row.getLong(7),
        Reasons.read(row, 8));
  }
}
