package dev.leasehold.store.jdbc.leases;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome.Certainty;
import dev.leasehold.store.jdbc.batches.Attempts;
import dev.leasehold.store.jdbc.batches.LockHolders;
import dev.leasehold.store.jdbc.batches.LockedPlaces;
import dev.leasehold.store.jdbc.batches.Table;
import dev.leasehold.store.jdbc.batches.TableBatch;
import dev.leasehold.store.jdbc.changes.ChangeLines;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.status.LockHolder;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** Leases, as rows for batches of commands. */
public record LeaseTable(Limits limits, ChangeLines lines)
    implements Table<LeaseKey, Command, Settled> {
  @Override
  public LeaseKey place(Command command) {
    return command.key();
  }

  @Override
  public boolean isFinal(Command command, Settled settled) {
    return settled.outcome().isFinal();
  }

  @Override
  public Settled failed(Certainty certainty, String detail) {
    return Settled.failed(certainty, detail);
  }

  @Override
  public boolean keepsLeases() {
    return true;
  }

  @Override
  public boolean isUrgent(Command command) {
    return command instanceof Command.Renew;
  }

  @Override
  public TableBatch<LeaseKey, Command, Settled> begin(
      List<Command> batch, Attempts attempts, LockedPlaces<LeaseKey> lockedPlaces) {
    return new ServerBatch(this, batch, attempts, lockedPlaces);
  }

  @Override
  public List<Settled> decide(StoreConnection connection, List<Command> batch) throws SQLException {
    List<Settled> settled = SqliteBatch.decide(connection, limits, batch);
    lines.post(connection, LeaseChanges.KIND, settled);
    return settled;
  }

  @Override
  public Set<LeaseKey> locked(StoreConnection connection, List<LeaseKey> keys) throws SQLException {
    return RuledBatch.locked(connection, keys);
  }

  @Override
  public List<LockHolder> lockHolders(StoreConnection connection, LeaseKey key)
      throws SQLException {
    return LockHolders.find(connection, "lock-holders", Buckets.of(key), key.text());
  }
}
