package dev.leasehold.store.jdbc.objects;

import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.blocks.objects.spi.ObjectRecord;
import dev.leasehold.blocks.objects.spi.ObjectState;
import dev.leasehold.blocks.objects.spi.RememberedWrite;
import dev.leasehold.fence.LeaseKey;
import dev.leasehold.store.jdbc.connections.QueryBatch;
import dev.leasehold.store.jdbc.connections.QueryBatch.Rows;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.status.StoreUnusableException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A batch on PostgreSQL or CockroachDB, with one array statement for each step. */
final class ServerObjectRows extends ObjectRows {
  ServerObjectRows(StoreConnection connection, long memoryMillis) {
    super(connection, memoryMillis);
  }

  /** All that a decision depends on, except the record and the floor. */
  private record Around(
      Optional<LeaseKey> bound,
      Optional<RememberedWrite> recalled,
      long nowMillis,
      int incarnation) {
    static Around read(ResultSet row, ObjectCommand command) throws SQLException {
      return new Around(
          key(row, 4),
          ObjectRows.recalled(row, 5, command.requestId()),
          row.getLong(2),
          row.getInt(3));
    }
  }

  @Override
  protected List<Seen> lock(List<ObjectCommand> commands) throws SQLException {
    List<ObjectName> names = commands.stream().map(ObjectCommand::name).distinct().toList();
    Map<ObjectName, ObjectRecord> records = new HashMap<>();
    Map<Integer, Around> around = new HashMap<>();
    begin()
        .add(
            Rows.each(
                row ->
                    records.put(ObjectName.of(row.getString(1), row.getString(2)), record(row, 3))),
            "lock-objects",
            connection.columnsOf(names).texts(ObjectName::type).texts(ObjectName::id).values())
        .add(
            Rows.each(
                row -> {
                  int n = (int) row.getLong(1) - 1;
                  around.put(n, Around.read(row, commands.get(n)));
                }),
            "object-contexts",
            connection
                .columnsOf(commands)
                .integers(c -> bucketOf(c.name()))
                .texts(c -> c.name().type())
                .texts(c -> c.name().id())
                .texts(c -> c.requestId().text())
                .flags(ObjectCommand.Delete.class::isInstance)
                .values())
        .send();
    Map<Integer, Long> floors =
        lockFloors(
            names.stream()
                .filter(name -> !records.containsKey(name))
                .map(ObjectRows::bucketOf)
                .distinct()
                .toList());
    List<Seen> seen = new ArrayList<>(commands.size());
    for (int i = 0; i < commands.size(); i++) {
      ObjectName name = commands.get(i).name();
      Around its =
          Optional.ofNullable(around.get(i)).orElseThrow(StoreUnusableException::unmigrated);
      ObjectState state =
          new ObjectState(
              floor(floors.getOrDefault(bucketOf(name), 0L), its.incarnation()),
              Optional.ofNullable(records.get(name)),
              its.recalled());
      seen.add(new Seen(state, its.bound(), its.nowMillis(), its.incarnation()));
    }
    return seen;
  }

  private Map<Integer, Long> lockFloors(List<Integer> buckets) throws SQLException {
    Map<Integer, Long> floors = new HashMap<>();
    if (!buckets.isEmpty()) {
      connection.each(
          row -> floors.put(row.getInt(1), row.getLong(2)),
          "lock-object-floors",
          connection.numbers(buckets));
    }
    return floors;
  }

  @Override
  boolean write(List<Row> rows, List<Remembered> writes) throws SQLException {
    QueryBatch together = connection.together();
    if (!writes.isEmpty()) {
      together.first(
          "remember-writes",
          connection
              .columnsOf(writes)
              .integers(Remembered::bucket)
              .texts(one -> one.name().type())
              .texts(one -> one.name().id())
              .texts(one -> one.write().requestId().text())
              .numbers(one -> one.write().version().value())
              .of("int2", one -> (short) one.write().kind().number())
              .numbers(Remembered::atMillis)
              .values());
    }
    boolean[] unheard = {false};
    together
        .add(
            row -> {
              if (!row.next() || row.getInt(1) != rows.size()) {
                throw overtaken();
              }
              unheard[0] = row.getBoolean(2);
            },
            "write-objects",
            connection
                .columnsOf(rows)
                .texts(row -> row.name().type())
                .texts(row -> row.name().id())
                .integers(Row::bucket)
                .numbers(row -> row.record().version().value())
                .of("int2", row -> (short) row.record().last().kind().number())
                .texts(row -> row.record().last().requestId().text())
                .numbers(row -> row.record().createdAtMillis())
                .numbers(row -> row.record().updatedAtMillis())
                .payloads(row -> row.payload().bytes())
                .flags(Row::isNew)
                .values())
        .send();
    return unheard[0];
  }
}
