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
import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
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
    PreparedStatement statement = connection.prepare("renew");
    bindKeys(statement, 0, commands);
    statement.setArray(3, numbers(commands, c -> c.token().value()));
    statement.setArray(4, texts(commands, c -> c.instance().id().text()));
    statement.setArray(5, numbers(commands, ArrayStatements::newTtl));
    statement.setArray(6, numbers(commands, Command.Renew::progress));
    Map<Integer, Settled> settled = new TreeMap<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        settled.put(number(rows), Settled.of(new Outcome.Renewed(rows.getLong(2))));
      }
    }
    return settled;
  }

  /** Answers to releases and acquires, and which of the acquired keys have a row. */
  record Moved(Map<Integer, Settled> released, Map<Integer, Settled> acquired, Set<Integer> seen) {}

  /** Both kinds in one round trip and one transaction; either may be empty. */
  Moved move(List<Command.Release> releases, List<Command.Acquire> acquires) throws SQLException {
    String name =
        acquires.isEmpty() ? "release" : releases.isEmpty() ? "acquire" : "release-and-acquire";
    PreparedStatement statement = connection.prepare(name);
    Moved moved = new Moved(new TreeMap<>(), new TreeMap<>(), new HashSet<>());
    int bound = 0;
    if (!releases.isEmpty()) {
      bound = bindReleases(statement, releases);
    }
    if (!acquires.isEmpty()) {
      bindAcquires(statement, bound, acquires);
    }
    boolean unused = statement.execute();
    if (!releases.isEmpty()) {
      readReleases(statement, releases, moved);
      unused = statement.getMoreResults();
    }
    if (!acquires.isEmpty()) {
      readAcquires(statement, acquires, moved);
    }
    return moved;
  }

  private int bindReleases(PreparedStatement statement, List<Command.Release> commands)
      throws SQLException {
    bindKeys(statement, 0, commands);
    statement.setArray(3, numbers(commands, c -> c.token().value()));
    statement.setArray(4, texts(commands, c -> c.instance().id().text()));
    statement.setArray(5, texts(commands, c -> c.requestId().text()));
    return 5;
  }

  private static void readReleases(
      PreparedStatement statement, List<Command.Release> commands, Moved moved)
      throws SQLException {
    try (ResultSet rows = statement.getResultSet()) {
      while (rows.next()) {
        Command.Release command = commands.get(number(rows));
        moved.released.put(
            number(rows),
            Settled.of(
                    new Outcome.Released(), Settled.change(Kind.RELEASED, command, command.token()))
                .unheard(rows.getBoolean(2)));
      }
    }
  }

  private static void readAcquires(
      PreparedStatement statement, List<Command.Acquire> commands, Moved moved)
      throws SQLException {
    try (ResultSet rows = statement.getResultSet()) {
      while (rows.next()) {
        int number = number(rows);
        moved.seen.add(number);
        switch (rows.getString(2)) {
          case "granted" ->
              moved.acquired.put(
                  number, granted(commands.get(number), rows).unheard(rows.getBoolean(10)));
          case "held" -> moved.acquired.put(number, held(rows));
          default -> {}
        }
      }
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
    PreparedStatement statement = connection.prepare("acquire-new");
    bindAcquires(statement, 0, commands);
    Map<String, Integer> numberOfKey = new HashMap<>();
    for (int i = 0; i < commands.size(); i++) {
      numberOfKey.put(commands.get(i).key().text(), i);
    }
    Map<Integer, Settled> settled = new TreeMap<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        int number = Objects.requireNonNull(numberOfKey.get(rows.getString(1)));
        settled.put(
            number,
            granted(commands.get(number), rows.getLong(2), new Token(rows.getLong(3)))
                .unheard(rows.getBoolean(4)));
      }
    }
    return settled;
  }

  private void bindAcquires(PreparedStatement statement, int after, List<Command.Acquire> commands)
      throws SQLException {
    bindKeys(statement, after, commands);
    statement.setArray(after + 3, texts(commands, c -> c.instance().id().text()));
    statement.setArray(after + 4, texts(commands, c -> c.requestId().text()));
    statement.setArray(after + 5, texts(commands, c -> c.terms().info().holder()));
    statement.setArray(after + 6, texts(commands, c -> c.terms().info().purpose()));
    statement.setArray(after + 7, texts(commands, c -> c.terms().info().region()));
    statement.setArray(after + 8, texts(commands, ArrayStatements::attributes));
    statement.setArray(after + 9, numbers(commands, c -> c.terms().ttlMillis()));
    statement.setArray(after + 10, numbers(commands, c -> c.terms().stallLimit().millis()));
  }

  private static String attributes(Command.Acquire command) {
    return Attributes.text(command.terms().info().attributes());
  }

  private static @Nullable Long newTtl(Command.Renew command) {
    return command.ttlMillis().isPresent() ? command.ttlMillis().getAsLong() : null;
  }

  void bindKeys(PreparedStatement statement, int after, List<? extends Command> commands)
      throws SQLException {
    Object[] buckets = commands.stream().map(c -> Buckets.of(c.key())).toArray();
    statement.setArray(after + 1, connection.jdbc().createArrayOf("int4", buckets));
    statement.setArray(after + 2, texts(commands, c -> c.key().text()));
  }

  private <C> Array texts(List<C> commands, Function<? super C, String> value) throws SQLException {
    Object[] values = commands.stream().map(value).toArray();
    return connection.jdbc().createArrayOf("text", values);
  }

  private <C> Array numbers(List<C> commands, Function<? super C, @Nullable Long> value)
      throws SQLException {
    @Nullable Object[] values = new Object[commands.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = value.apply(commands.get(i));
    }
    return connection.jdbc().createArrayOf("int8", values);
  }

  private static int number(ResultSet row) throws SQLException {
    return (int) row.getLong(1) - 1;
  }
}
