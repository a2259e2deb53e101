package dev.leasehold.store.jdbc.objects;

import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.blocks.objects.spi.ObjectRecord;
import dev.leasehold.blocks.objects.spi.ObjectState;
import dev.leasehold.blocks.objects.spi.RememberedWrite;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.effects.ClaimedLeases;
import dev.leasehold.store.jdbc.effects.CurrentRow;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A batch on PostgreSQL or CockroachDB, with one array statement for each step. It takes locks in
 * the order leases, objects, floors, and each kind in the order of names.
 */
final class ServerObjectRows implements ObjectRows {
  private static final String SERIALIZATION_FAILURE = "40001";

  private final StoreConnection connection;

  /** Whether the transaction has begun: the first statement also sets its limits. */
  private boolean opened;

  ServerObjectRows(StoreConnection connection) {
    this.connection = connection;
  }

  @Override
  public Map<LeaseKey, CurrentRow> lockClaims(Collection<LeaseKey> keys) throws SQLException {
    opened = true;
    return ClaimedLeases.lock(connection, keys);
  }

  /** All that a decision depends on, except the record. */
  private record Around(
      Optional<LeaseKey> bound,
      Optional<RememberedWrite> recalled,
      long nowMillis,
      int incarnation) {}

  @Override
  public List<Seen> lock(List<ObjectCommand> commands) throws SQLException {
    List<ObjectName> names = commands.stream().map(ObjectCommand::name).distinct().toList();
    PreparedStatement statement = connection.prepare(opened ? "see-objects" : "open-objects");
    opened = true;
    bindNames(statement, names);
    bindCommands(statement, commands);
    Map<ObjectName, ObjectRecord> records = readRecords(statement);
    Map<Integer, Around> around = readAround(statement, commands);
    Map<Integer, Long> floors =
        lockFloors(
            names.stream()
                .filter(name -> !records.containsKey(name))
                .map(ObjectRows::bucketOf)
                .distinct()
                .toList());
    return IntStream.range(0, commands.size())
        .mapToObj(i -> seen(commands.get(i).name(), around.get(i), records, floors))
        .toList();
  }

  private static Seen seen(
      ObjectName name,
      @Nullable Around around,
      Map<ObjectName, ObjectRecord> records,
      Map<Integer, Long> floors) {
    if (around == null) {
      throw new StoreUnusableException("the store's own row is missing: run leasehold migrate");
    }
    long floor = floors.getOrDefault(ObjectRows.bucketOf(name), 0L);
    return new Seen(
        new ObjectState(
            ObjectRows.floor(floor, around.incarnation()),
            Optional.ofNullable(records.get(name)),
            around.recalled()),
        around.bound(),
        around.nowMillis(),
        around.incarnation());
  }

  private static Map<ObjectName, ObjectRecord> readRecords(PreparedStatement statement)
      throws SQLException {
    Map<ObjectName, ObjectRecord> found = new HashMap<>();
    try (ResultSet row = StoreConnection.firstAnswer(statement)) {
      while (row.next()) {
        found.put(ObjectName.of(row.getString(1), row.getString(2)), ObjectRows.record(row, 3));
      }
    }
    return found;
  }

  private void bindNames(PreparedStatement statement, List<ObjectName> names) throws SQLException {
    statement.setArray(1, connection.array("text", names, ObjectName::type));
    statement.setArray(2, connection.array("text", names, ObjectName::id));
  }

  private void bindCommands(PreparedStatement statement, List<ObjectCommand> commands)
      throws SQLException {
    statement.setArray(3, connection.array("int4", commands, c -> ObjectRows.bucketOf(c.name())));
    statement.setArray(4, connection.array("text", commands, c -> c.name().type()));
    statement.setArray(5, connection.array("text", commands, c -> c.name().id()));
    statement.setArray(6, connection.array("text", commands, c -> c.requestId().text()));
    statement.setArray(
        7, connection.array("bool", commands, ObjectCommand.Delete.class::isInstance));
  }

  private static Map<Integer, Around> readAround(
      PreparedStatement statement, List<ObjectCommand> commands) throws SQLException {
    boolean unused = statement.getMoreResults();
    Map<Integer, Around> found = new HashMap<>();
    try (ResultSet row = statement.getResultSet()) {
      while (row.next()) {
        int n = (int) row.getLong(1) - 1;
        found.put(
            n,
            new Around(
                ObjectRows.key(row, 4),
                ObjectRows.recalled(row, 5, commands.get(n).requestId()),
                row.getLong(2),
                row.getInt(3)));
      }
    }
    return found;
  }

  private Map<Integer, Long> lockFloors(List<Integer> buckets) throws SQLException {
    Map<Integer, Long> floors = new HashMap<>();
    if (buckets.isEmpty()) {
      return floors;
    }
    PreparedStatement statement = connection.prepare("lock-object-floors");
    statement.setArray(1, connection.array("int4", buckets, bucket -> bucket));
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        floors.put(row.getInt(1), row.getLong(2));
      }
    }
    return floors;
  }

  @Override
  public boolean write(List<Row> rows, List<Remembered> remembered) throws SQLException {
    PreparedStatement statement =
        connection.prepare(remembered.isEmpty() ? "write-objects" : "remember-and-write-objects");
    int after = remembered.isEmpty() ? 0 : bindRemembered(statement, remembered);
    bindRows(statement, after, rows);
    try (ResultSet row = StoreConnection.firstAnswer(statement)) {
      if (!row.next() || row.getInt(1) != rows.size()) {
        throw new SQLTransactionRollbackException(
            "another transaction has created the object meanwhile: run this one again",
            SERIALIZATION_FAILURE);
      }
      return row.getBoolean(2);
    }
  }

  private void bindRows(PreparedStatement statement, int after, List<Row> rows)
      throws SQLException {
    statement.setArray(after + 1, connection.array("text", rows, row -> row.name().type()));
    statement.setArray(after + 2, connection.array("text", rows, row -> row.name().id()));
    statement.setArray(after + 3, connection.array("int4", rows, Row::bucket));
    statement.setArray(
        after + 4, connection.array("int8", rows, row -> row.record().version().value()));
    statement.setArray(
        after + 5,
        connection.array("int2", rows, row -> (short) row.record().last().kind().number()));
    statement.setArray(
        after + 6, connection.array("text", rows, row -> row.record().last().requestId().text()));
    statement.setArray(
        after + 7, connection.array("int8", rows, row -> row.record().createdAtMillis()));
    statement.setArray(
        after + 8, connection.array("int8", rows, row -> row.record().updatedAtMillis()));
    statement.setArray(after + 9, connection.payloads(rows, row -> row.payload().bytes()));
    statement.setArray(after + 10, connection.array("bool", rows, Row::isNew));
  }

  private int bindRemembered(PreparedStatement statement, List<Remembered> writes)
      throws SQLException {
    statement.setArray(1, connection.array("int4", writes, Remembered::bucket));
    statement.setArray(2, connection.array("text", writes, remembered -> remembered.name().type()));
    statement.setArray(3, connection.array("text", writes, remembered -> remembered.name().id()));
    statement.setArray(
        4, connection.array("text", writes, remembered -> remembered.write().requestId().text()));
    statement.setArray(
        5, connection.array("int8", writes, remembered -> remembered.write().version().value()));
    statement.setArray(
        6,
        connection.array("int2", writes, remembered -> (short) remembered.write().kind().number()));
    statement.setArray(7, connection.array("int8", writes, Remembered::atMillis));
    return 7;
  }
}
