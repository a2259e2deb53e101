package dev.leasehold.store.jdbc.objects;

import dev.leasehold.blocks.objects.model.Expectation;
import dev.leasehold.blocks.objects.model.ObjectChange;
import dev.leasehold.blocks.objects.model.ObjectName;
import dev.leasehold.blocks.objects.model.ObjectOutcome;
import dev.leasehold.blocks.objects.spi.ObjectCommand;
import dev.leasehold.blocks.objects.spi.RememberedWrite;
import dev.leasehold.kernel.model.Version;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import dev.leasehold.store.jdbc.rows.RowResult;
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
  record Written(Map<Integer, RowResult<ObjectOutcome, ObjectChange>> settled, Set<Integer> seen) {}

  /** Puts on objects that have a row; none of the commands expects absence. */
  Written put(List<ObjectCommand.Put> commands, long memoryMillis) throws SQLException {
    Written written = new Written(new TreeMap<>(), new HashSet<>());
    connection.each(
        row -> {
          int number = (int) row.getLong(1) - 1;
          written.seen.add(number);
          switch (row.getString(2)) {
            case "written" -> written.settled.put(number, written(commands.get(number), row));
            case "conflict" -> written.settled.put(number, conflict(row));
            default -> {}
          }
        },
        "put-objects",
        connection
            .columnsOf(commands)
            .texts(c -> c.name().type())
            .texts(c -> c.name().id())
            .texts(c -> c.requestId().text())
            .payloads(c -> c.payload().bytes())
            .numbers(ObjectStatements::expected)
            .values(memoryMillis));
    return written;
  }

  private static @Nullable Long expected(ObjectCommand.Put command) {
    return command.expected() instanceof Expectation.At(Version version) ? version.value() : null;
  }

  private static RowResult<ObjectOutcome, ObjectChange> written(
      ObjectCommand.Put command, ResultSet row) throws SQLException {
    Version version = new Version(row.getLong(3));
    ObjectOutcome outcome =
        RememberedWrite.Kind.of(row.getInt(4)) == RememberedWrite.Kind.CREATED
            ? new ObjectOutcome.Created(version)
            : new ObjectOutcome.Replaced(version);
    return written(command.name(), version, outcome, row.getBoolean(5));
  }

  private static RowResult<ObjectOutcome, ObjectChange> written(
      ObjectName name, Version version, ObjectOutcome outcome, boolean isUnheard) {
    return RowResult.changed(
        outcome, new ObjectChange(ObjectChange.Kind.WRITTEN, name, version), isUnheard);
  }

  private static RowResult<ObjectOutcome, ObjectChange> conflict(ResultSet row)
      throws SQLException {
    boolean exists = RememberedWrite.Kind.of(row.getInt(4)) != RememberedWrite.Kind.DELETED;
    return RowResult.unchanged(
        new ObjectOutcome.Conflict(
            exists ? Optional.of(new Version(row.getLong(3))) : Optional.empty()));
  }

  /** Puts on objects that have no row; none of the commands expects a version. */
  Map<Integer, RowResult<ObjectOutcome, ObjectChange>> putNew(List<ObjectCommand.Put> commands)
      throws SQLException {
    Map<ObjectName, Integer> numbers = new HashMap<>();
    commands.forEach(command -> numbers.put(command.name(), numbers.size()));
    Map<Integer, RowResult<ObjectOutcome, ObjectChange>> settled = new TreeMap<>();
    connection.each(
        row -> {
          ObjectName name = ObjectName.of(row.getString(1), row.getString(2));
          Version version = new Version(row.getLong(3));
          settled.put(
              Objects.requireNonNull(numbers.get(name)),
              written(name, version, new ObjectOutcome.Created(version), row.getBoolean(4)));
        },
        "put-new-objects",
        connection
            .columnsOf(commands)
            .integers(c -> ObjectRows.bucketOf(c.name()))
            .texts(c -> c.name().type())
            .texts(c -> c.name().id())
            .texts(c -> c.requestId().text())
            .payloads(c -> c.payload().bytes())
            .values());
    return settled;
  }
}
