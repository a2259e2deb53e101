package dev.leasehold.store.jdbc.leases;

import dev.leasehold.fence.IllFormedException;
import dev.leasehold.fence.Token;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.model.InstanceId;
import dev.leasehold.kernel.model.Progress;
import dev.leasehold.kernel.model.Standing;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.LeaseChange.Kind;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.kernel.spi.Outcome;
import dev.leasehold.store.jdbc.connections.Columns;
import dev.leasehold.store.jdbc.connections.QueryBatch;
import dev.leasehold.store.jdbc.connections.QueryBatch.Rows;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The usual cases of the usual commands: one statement decides a whole batch, and is a transaction
 * by itself. Each statement settles what it can and leaves the rest to the rules; none waits for a
 * locked row. The commands of one call are for different keys.
 */
final class ArrayStatements {
  private final StoreConnection connection;

  ArrayStatements(StoreConnection connection) {
    this.connection = connection;
  }

  /** Whether the command is well-formed. If not, the rules find the reason. */
  static boolean takes(Command command, Limits limits) {
    try {
      switch (command) {
        case Command.Acquire acquire -> limits.requireTtl(acquire.terms().ttlMillis());
        case Command.Renew renew -> renew.ttlMillis().ifPresent(limits::requireTtl);
        default -> {}
      }
      return true;
    } catch (IllFormedException e) {
      return false;
    }
  }

  /** Answers by the number of the command; commands without an answer are left to the rules. */
  Map<Integer, Settled> renew(List<Command.Renew> commands) throws SQLException {
    Map<Integer, Settled> settled = new TreeMap<>();
    connection.each(
        row -> settled.put(number(row), Settled.of(new Outcome.Renewed(row.getLong(2)))),
        "renew",
        columns(connection, commands)
            .numbers(c -> c.token().value())
            .texts(c -> c.instance().id().text())
            .numbers(ArrayStatements::newTtl)
            .numbers(Command.Renew::progress)
            .values());
    return settled;
  }

  /** Answers to releases and acquires, and which of the acquired keys have a row. */
  record Moved(Map<Integer, Settled> released, Map<Integer, Settled> acquired, Set<Integer> seen) {}

  /** Both kinds in one round trip and one transaction; either may be empty. */
  Moved move(List<Command.Release> releases, List<Command.Acquire> acquires) throws SQLException {
    Moved moved = new Moved(new TreeMap<>(), new TreeMap<>(), new HashSet<>());
    QueryBatch together = connection.together();
    if (!releases.isEmpty()) {
      together.add(
          Rows.each(row -> moved.released.put(number(row), released(releases, row))),
          "release",
          columns(connection, releases)
              .numbers(c -> c.token().value())
              .texts(c -> c.instance().id().text())
              .texts(c -> c.requestId().text())
              .values());
    }
    if (!acquires.isEmpty()) {
      together.add(
          Rows.each(row -> readAcquire(row, acquires, moved)), "acquire", acquiring(acquires));
    }
    together.send();
    return moved;
  }

  private static Settled released(List<Command.Release> commands, ResultSet row)
      throws SQLException {
    Command.Release command = commands.get(number(row));
    return Settled.of(
            new Outcome.Released(), Settled.change(Kind.RELEASED, command, command.token()))
        .unheard(row.getBoolean(2));
  }

  private static void readAcquire(ResultSet row, List<Command.Acquire> commands, Moved moved)
      throws SQLException {
    int number = number(row);
    moved.seen.add(number);
    switch (row.getString(2)) {
      case "granted" ->
          moved.acquired.put(
              number, granted(commands.get(number), row).unheard(row.getBoolean(10)));
      case "held" -> moved.acquired.put(number, held(row));
      default -> {}
    }
  }

  private static Settled granted(Command.Acquire command, ResultSet row) throws SQLException {
    Settled fresh = granted(command, row.getLong(3), new Token(row.getLong(4)));
    if (!row.getBoolean(6)) {
      return fresh;
    }
    Token followed = new Token(row.getLong(5));
    return Settled.of(
        fresh.outcome(),
        Settled.change(Kind.SUPERSEDED, command, followed),
        fresh.changes().getFirst());
  }

  private static Settled granted(Command.Acquire command, long nowMillis, Token token) {
    Grant grant =
        new Grant(
            token,
            command.instance().id(),
            command.requestId(),
            command.terms(),
            nowMillis,
            nowMillis,
            nowMillis + command.terms().ttlMillis(),
            Progress.startingAt(nowMillis),
            Standing.OPEN);
    return Settled.of(
        new Outcome.Granted(grant, command.terms().ttlMillis()),
        Settled.change(Kind.GRANTED, command, token));
  }

  private static Settled held(ResultSet row) throws SQLException {
    return Settled.of(
        new Outcome.Held(
            row.getString(7),
            new InstanceId(row.getString(8)),
            new Token(row.getLong(5)),
            row.getLong(9)));
  }

  /** Acquires of keys that have no row yet. */
  Map<Integer, Settled> acquireNew(List<Command.Acquire> commands) throws SQLException {
    Map<String, Integer> numbers = new HashMap<>();
    for (int i = 0; i < commands.size(); i++) {
      numbers.put(commands.get(i).key().text(), i);
    }
    Map<Integer, Settled> settled = new TreeMap<>();
    connection.each(
        row -> {
          int number = Objects.requireNonNull(numbers.get(row.getString(1)));
          settled.put(
              number,
              granted(commands.get(number), row.getLong(2), new Token(row.getLong(3)))
                  .unheard(row.getBoolean(4)));
        },
        "acquire-new",
        acquiring(commands));
    return settled;
  }

  private @Nullable Object[] acquiring(List<Command.Acquire> commands) throws SQLException {
    return columns(connection, commands)
        .texts(c -> c.instance().id().text())
        .texts(c -> c.requestId().text())
        .texts(c -> c.terms().info().holder())
        .texts(c -> c.terms().info().purpose())
        .texts(c -> c.terms().info().region())
        .texts(c -> Attributes.text(c.terms().info().attributes()))
        .numbers(c -> c.terms().ttlMillis())
        .numbers(c -> c.terms().stallLimit().millis())
        .values();
  }

  private static @Nullable Long newTtl(Command.Renew command) {
    return command.ttlMillis().isPresent() ? command.ttlMillis().getAsLong() : null;
  }

  /** The keys of commands, as the first columns of a statement. */
  static <C extends Command> Columns<C> columns(StoreConnection connection, List<C> commands)
      throws SQLException {
    return connection
        .columnsOf(commands)
        .integers(c -> Buckets.of(c.key()))
        .texts(c -> c.key().text());
  }

  private static int number(ResultSet row) throws SQLException {
    return (int) row.getLong(1) - 1;
  }
}
