package dev.leasehold.store.jdbc.objects;

import dev.leasehold.blocks.objects.ObjectName;
import dev.leasehold.blocks.objects.spi.Deed;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.blocks.objects.spi.ObjectRecord;
import dev.leasehold.blocks.objects.spi.ObjectState;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.store.jdbc.connections.Session;
import dev.leasehold.store.jdbc.effects.CurrentRow;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransactionRollbackException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A batch on PostgreSQL or CockroachDB: arrays, one statement for each step. Locks are taken in the
 * order leases, objects, floors, each in the order of their names.
 */
final class ServerObjectRows implements ObjectRows {
  private static final String SERIALIZATION_FAILURE = "40001";

  private final Session session;

  /** Whether the transaction has begun, with its limits: the first statement brings them. */
  private boolean opened;

  ServerObjectRows(Session session) {
    this.session = session;
  }

  @Override
  public Map<LeaseKey, CurrentRow> lockClaims(Collection<LeaseKey> keys) throws SQLException {
    List<LeaseKey> asked = List.copyOf(keys);
    PreparedStatement statement = session.prepare("open-claims");
    opened = true;
    statement.setArray(1, array("int4", asked, Buckets::of));
    statement.setArray(2, array("text", asked, LeaseKey::text));
    Map<LeaseKey, CurrentRow> found = new HashMap<>();
    try (ResultSet row = first(statement)) {
      while (row.next()) {
        found.put(asked.get((int) row.getLong(9) - 1), CurrentRow.readHere(row));
      }
    }
    return found;
  }

  /** What a command is decided in, but for the record. */
  private record Around(
      Optional<LeaseKey> bound, Optional<Deed> recalled, long nowMillis, int incarnation) {}

  @Override
  public List<Seen> lock(List<ObjectCommand> commands) throws SQLException {
    List<ObjectName> names = commands.stream().map(ObjectCommand::name).distinct().toList();
    PreparedStatement statement = session.prepare(opened ? "see-objects" : "open-objects");
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
    try (ResultSet row = first(statement)) {
      while (row.next()) {
        found.put(ObjectName.of(row.getString(1), row.getString(2)), ObjectRows.record(row, 3));
      }
    }
    return found;
  }

  /** The first answer with rows; statements before it give none. */
  private static ResultSet first(PreparedStatement statement) throws SQLException {
    boolean found = statement.execute();
    while (!found && statement.getUpdateCount() >= 0) {
      found = statement.getMoreResults();
    }
    return statement.getResultSet();
  }

  private void bindNames(PreparedStatement statement, List<ObjectName> names) throws SQLException {
    statement.setArray(1, array("text", names, ObjectName::type));
    statement.setArray(2, array("text", names, ObjectName::id));
  }

  private void bindCommands(PreparedStatement statement, List<ObjectCommand> commands)
      throws SQLException {
    statement.setArray(3, array("int4", commands, c -> ObjectRows.bucketOf(c.name())));
    statement.setArray(4, array("text", commands, c -> c.name().type()));
    statement.setArray(5, array("text", commands, c -> c.name().id()));
    statement.setArray(6, array("text", commands, c -> c.requestId().text()));
    statement.setArray(7, array("bool", commands, ObjectCommand.Delete.class::isInstance));
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
    PreparedStatement statement = session.prepare("lock-object-floors");
    statement.setArray(1, array("int4", buckets, bucket -> bucket));
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
        session.prepare(remembered.isEmpty() ? "write-objects" : "remember-and-write-objects");
    int after = remembered.isEmpty() ? 0 : bindRemembered(statement, remembered);
    bindRows(statement, after, rows);
    try (ResultSet row = first(statement)) {
      if (!row.next() || row.getInt(1) != rows.size()) {
        throw new SQLTransactionRollbackException(
            "somebody else has created the object meanwhile: run the transaction again",
            SERIALIZATION_FAILURE);
      }
      return row.getBoolean(2);
    }
  }

  private void bindRows(PreparedStatement statement, int after, List<Row> rows)
      throws SQLException {
    statement.setArray(after + 1, array("text", rows, row -> row.name().type()));
    statement.setArray(after + 2, array("text", rows, row -> row.name().id()));
    statement.setArray(after + 3, array("int4", rows, Row::bucket));
    statement.setArray(after + 4, array("int8", rows, row -> row.record().version().value()));
    statement.setArray(
        after + 5, array("int2", rows, row -> (short) row.record().last().kind().number()));
    statement.setArray(
        after + 6, array("text", rows, row -> row.record().last().requestId().text()));
    statement.setArray(after + 7, array("int8", rows, row -> row.record().createdAtMillis()));
    statement.setArray(after + 8, array("int8", rows, row -> row.record().updatedAtMillis()));
    statement.setArray(after + 9, payloads(rows));
    statement.setArray(after + 10, array("bool", rows, Row::isNew));
  }

  private Array payloads(List<Row> rows) throws SQLException {
    byte[][] payloads = rows.stream().map(row -> row.payload().bytes()).toArray(byte[][]::new);
    return session.connection().createArrayOf("bytea", payloads);
  }

  private int bindRemembered(PreparedStatement statement, List<Remembered> deeds)
      throws SQLException {
    statement.setArray(1, array("int4", deeds, Remembered::bucket));
    statement.setArray(2, array("text", deeds, deed -> deed.name().type()));
    statement.setArray(3, array("text", deeds, deed -> deed.name().id()));
    statement.setArray(4, array("text", deeds, deed -> deed.deed().requestId().text()));
    statement.setArray(5, array("int8", deeds, deed -> deed.deed().version().value()));
    statement.setArray(6, array("int2", deeds, deed -> (short) deed.deed().kind().number()));
    statement.setArray(7, array("int8", deeds, Remembered::atMillis));
    return 7;
  }

  private <C> Array array(String type, List<C> items, Function<? super C, Object> value)
      throws SQLException {
    return session.connection().createArrayOf(type, items.stream().map(value).toArray());
  }
}
