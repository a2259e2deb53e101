package dev.leasehold.store.jdbc.objects;

import dev.leasehold.blocks.objects.model.Expectation;
import dev.leasehold.blocks.objects.model.ObjectChange;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.model.Version;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.blocks.objects.spi.RememberedWrite;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The usual writes on PostgreSQL: puts without a claim, on objects that are not bound. One
 * statement decides many of them, and is a transaction by itself; it settles what it can and leaves
 * the rest to the rules. The commands of one call are for different objects, in the order of their
 * names.
 */
final class ObjectStatements {
  private final StoreConnection connection;

  ObjectStatements(StoreConnection connection) {
    this.connection = connection;
  }

  /** Results of puts, by their number, and which of the objects have a row. */
  record Written(Map<Integer, ObjectSettled> settled, Set<Integer> seen) {}

  /** Puts on objects that have a row; none of the commands expects absence. */
  Written put(List<ObjectCommand.Put> commands, long memoryMillis) throws SQLException {
    PreparedStatement statement = connection.prepare("put-objects");
    statement.setArray(1, connection.array("text", commands, c -> c.name().type()));
    statement.setArray(2, connection.array("text", commands, c -> c.name().id()));
    statement.setArray(3, connection.array("text", commands, c -> c.requestId().text()));
    statement.setArray(4, connection.payloads(commands, c -> c.payload().bytes()));
    statement.setArray(5, connection.array("int8", commands, ObjectStatements::expected));
    statement.setLong(6, memoryMillis);
    Written written = new Written(new TreeMap<>(), new HashSet<>());
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        int number = (int) row.getLong(1) - 1;
        written.seen.add(number);
        switch (row.getString(2)) {
          case "written" -> written.settled.put(number, written(commands.get(number), row));
          case "conflict" -> written.settled.put(number, conflict(row));
          default -> {}
        }
      }
    }
    return written;
  }

  private static @Nullable Long expected(ObjectCommand.Put command) {
    return command.expected() instanceof Expectation.At(Version version) ? version.value() : null;
  }

  private static ObjectSettled written(ObjectCommand.Put command, ResultSet row)
      throws SQLException {
    Version version = new Version(row.getLong(3));
    ObjectOutcome outcome =
        RememberedWrite.Kind.of(row.getInt(4)) == RememberedWrite.Kind.CREATED
            ? new ObjectOutcome.Created(version)
            : new ObjectOutcome.Replaced(version);
    return written(command.name(), version, outcome).unheard(row.getBoolean(5));
  }

  private static ObjectSettled written(ObjectName name, Version version, ObjectOutcome outcome) {
    ObjectChange change = new ObjectChange(ObjectChange.Kind.WRITTEN, name, version);
    return new ObjectSettled(outcome, List.of(change), Optional.empty(), false);
  }

  private static ObjectSettled conflict(ResultSet row) throws SQLException {
    boolean exists = RememberedWrite.Kind.of(row.getInt(4)) != RememberedWrite.Kind.DELETED;
    return ObjectSettled.unchanged(
        new ObjectOutcome.Conflict(
            exists ? Optional.of(new Version(row.getLong(3))) : Optional.empty()));
  }

  /** Puts on objects that have no row; none of the commands expects a version. */
  Map<Integer, ObjectSettled> putNew(List<ObjectCommand.Put> commands) throws SQLException {
    PreparedStatement statement = connection.prepare("put-new-objects");
    statement.setArray(1, connection.array("int4", commands, c -> ObjectRows.bucketOf(c.name())));
    statement.setArray(2, connection.array("text", commands, c -> c.name().type()));
    statement.setArray(3, connection.array("text", commands, c -> c.name().id()));
    statement.setArray(4, connection.array("text", commands, c -> c.requestId().text()));
    statement.setArray(5, connection.payloads(commands, c -> c.payload().bytes()));
    Map<ObjectName, Integer> numbers = new HashMap<>();
    for (int i = 0; i < commands.size(); i++) {
      numbers.put(commands.get(i).name(), i);
    }
    Map<Integer, ObjectSettled> settled = new TreeMap<>();
    try (ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        ObjectName name = ObjectName.of(row.getString(1), row.getString(2));
        Version version = new Version(row.getLong(3));
        settled.put(
            Objects.requireNonNull(numbers.get(name)),
            written(name, version, new ObjectOutcome.Created(version)).unheard(row.getBoolean(4)));
      }
    }
    return settled;
  }
}
