package dev.leasehold.store.jdbc.leases;

import static java.util.stream.Collectors.joining;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.Explanation;
import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.kernel.model.Operator;
import dev.leasehold.kernel.model.RequestId;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** On SQLite: revokes at once all grants of these instance ids. */
public record RevokedGrants(Set<InstanceId> ids, Operator by, Explanation why) {
  /** Finds and revokes in one transaction: keys with another holder by then are not touched. */
  public List<Settled> by(LeaseTable leases, StoreConnection connection) throws SQLException {
    return leases.decide(
        connection,
        keys(connection).stream()
            .<Command>map(
                key -> new Command.Revoke(key, by, why, Command.Reopening.NOW, RequestId.random()))
            .toList());
  }

  private List<LeaseKey> keys(StoreConnection connection) throws SQLException {
    String json = ids.stream().map(InstanceId::text).collect(joining("\",\"", "[\"", "\"]"));
    return connection.list(row -> new LeaseKey(row.getString(1)), "grants-of", json);
  }
}
