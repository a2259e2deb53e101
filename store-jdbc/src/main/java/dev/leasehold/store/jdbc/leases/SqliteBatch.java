package dev.leasehold.store.jdbc.leases;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.store.jdbc.connections.JsonText;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Decides a batch within one transaction of SQLite's only writer. Each round takes at most one
 * command for each key, and reads with one query, because with this driver a query costs more than
 * the rows that it finds.
 */
final class SqliteBatch {
  /** The column after those that {@link LeaseRow} reads. */
  private static final int PLACE = 33;

  private static final int MAY_RECALL = 34;
  private static final int FLOOR = 35;

  private final StoreConnection connection;
  private final Ruling ruling;
  private final List<Settled> settled = new ArrayList<>();
  private final List<Command> round = new ArrayList<>();
  private final Set<LeaseKey> keys = new HashSet<>();

  private SqliteBatch(StoreConnection connection, Limits limits) {
    this.connection = connection;
    this.ruling = new Ruling(connection, limits);
  }

  static List<Settled> decide(StoreConnection connection, Limits limits, List<Command> commands)
      throws SQLException {
    SqliteBatch batch = new SqliteBatch(connection, limits);
    for (Command command : commands) {
      batch.add(command);
    }
    batch.decideRound();
    return batch.settled;
  }

  private void add(Command command) throws SQLException {
    if (command instanceof Command.Purge) {
      // This command raises a floor, which others in the same round would have read before.
      decideRound();
      settled.add(ruling.decideAlone(command));
      return;
    }
    if (!keys.add(command.key())) {
      decideRound();
      keys.add(command.key());
    }
    round.add(command);
  }

  private void decideRound() throws SQLException {
    LeaseRow.Found[] found = read();
    for (int n = 0; n < found.length; n++) {
      settled.add(ruling.decide(round.get(n), found[n]));
    }
    round.clear();
    keys.clear();
  }

  private LeaseRow.Found[] read() throws SQLException {
    LeaseRow.Found[] found = new LeaseRow.Found[round.size()];
    if (round.isEmpty()) {
      return found;
    }
    connection.each(
        row -> {
          int place = row.getInt(PLACE);
          found[place] = read(round.get(place), row);
        },
        "lock-leases",
        json());
    if (Arrays.asList(found).contains(null)) {
      throw new SQLException("the store's own row is missing: run leasehold migrate");
    }
    return found;
  }

  private static LeaseRow.Found read(Command command, ResultSet row) throws SQLException {
    long unusedFloor = row.getLong(FLOOR);
    LeaseRow.Found found =
        row.wasNull() ? LeaseRow.read(row) : LeaseRow.blank(command.key(), row, FLOOR);
    return command instanceof Command.Acquire && row.getInt(MAY_RECALL) == 0
        ? found.withoutRecall()
        : found;
  }

  private String json() {
    StringBuilder json = new StringBuilder("[");
    for (Command command : round) {
      json.append(json.length() == 1 ? "[" : ",[").append(Buckets.of(command.key())).append(',');
      JsonText.quote(json, command.key().text());
      if (command instanceof Command.Acquire acquire) {
        JsonText.quote(json.append(','), acquire.requestId().text());
      }
      json.append(']');
    }
    return json.append(']').toString();
  }
}
