package dev.leasehold.store.jdbc.leases;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.model.Grant;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.store.jdbc.connections.StoreConnection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Applies the rules to many rows of a server, in the caller's transaction. Answers are by the
 * number of the command; a command without an answer cannot be decided without waiting for others.
 */
public final class RuledBatch {
  private final StoreConnection connection;
  private final Ruling ruling;

  public RuledBatch(StoreConnection connection, Limits limits) {
    this.connection = connection;
    this.ruling = new Ruling(connection, limits);
  }

  /** Decides commands in order, on one key or on several; waits for rows. */
  List<Settled> decideInOrder(List<Command> commands) throws SQLException {
    List<Settled> decided = new ArrayList<>();
    for (Command command : commands) {
      decided.add(ruling.decideAlone(command));
    }
    return decided;
  }

  /**
   * Answers the acquires that change nothing; this locks and writes nothing. Acquires without an
   * answer may be granted, or have other effects.
   */
  Map<Integer, Settled> answerUnchanged(List<Command> acquires) throws SQLException {
    Map<LeaseKey, LeaseRow.Found> rows = rows(acquires, "read-leases");
    List<Command> without = acquires.stream().filter(c -> !rows.containsKey(c.key())).toList();
    if (!without.isEmpty()) {
      // If the row was purged, the floor of its bucket covers the tokens that were issued.
      rows.putAll(blanks(without, "floors"));
    }
    Map<Integer, Settled> answered = new TreeMap<>();
    for (int n = 0; n < acquires.size(); n++) {
      LeaseRow.Found found = rows.get(acquires.get(n).key());
      if (found != null) {
        int number = n;
        ruling
            .unchanged(acquires.get(n), found)
            .ifPresent(settled -> answered.put(number, settled));
      }
    }
    return answered;
  }

  /** The same for commands on one key, up to the first that may change the key. */
  Map<Integer, Settled> answerFirstUnchanged(List<Command> ofOneKey) throws SQLException {
    List<Command> acquires =
        ofOneKey.stream().takeWhile(Command.Acquire.class::isInstance).toList();
    if (acquires.isEmpty()) {
      return Map.of();
    }
    Map<Integer, Settled> answered = answerUnchanged(acquires);
    int first = 0;
    while (answered.containsKey(first)) {
      first++;
    }
    int mayChangeIt = first;
    answered.keySet().removeIf(n -> n > mayChangeIt);
    return answered;
  }

  /** The latest grant of each key that has had one, read without a lock. */
  Map<LeaseKey, Grant> grants(List<Command> commands) throws SQLException {
    Map<LeaseKey, Grant> grants = new HashMap<>();
    rows(commands, "read-leases")
        .forEach(
            (key, found) ->
                found.row().record().grant().ifPresent(grant -> grants.put(key, grant)));
    return grants;
  }

  /** Which of these keys have a row that another transaction has locked. */
  static Set<LeaseKey> locked(StoreConnection connection, List<LeaseKey> keys) throws SQLException {
    return Set.copyOf(
        connection.list(
            row -> new LeaseKey(row.getString(2)),
            "locked-leases",
            connection.columnsOf(keys).integers(Buckets::of).texts(LeaseKey::text).values()));
  }

  /** Decides commands whose rows exist and are not locked by other transactions. */
  Map<Integer, Settled> decideFree(List<Command> commands, String lock) throws SQLException {
    Map<LeaseKey, LeaseRow.Found> rows = rows(commands, lock);
    Map<Integer, Settled> decided = new TreeMap<>();
    for (int n = 0; n < commands.size(); n++) {
      LeaseRow.Found found = rows.get(commands.get(n).key());
      if (found != null) {
        decided.put(n, ruling.decide(commands.get(n), found));
      }
    }
    return decided;
  }

  /**
   * Decides commands on keys without a row. Locks their floors, so that none of them is purged
   * meanwhile; but not for a row that exists and is locked by another transaction, because a
   * floor's lock costs a write each time.
   */
  Map<Integer, Settled> decideNew(List<Command> commands) throws SQLException {
    connection.update("join-writers");
    Set<String> locked = existing(commands);
    List<Command> without =
        commands.stream().filter(command -> !locked.contains(command.key().text())).toList();
    if (without.isEmpty()) {
      return Map.of();
    }
    Map<LeaseKey, LeaseRow.Found> blanks = blanks(without, "lock-floors");
    return decideWithout(commands, existing(commands), blanks);
  }

  /**
   * These renewals change nothing, so they need no lock on the floor. But the floor is read after
   * the row was found missing, and no table is emptied meanwhile: a floor from before the purge
   * would suggest that writes were lost.
   */
  public Map<Integer, Settled> decideRenewalsOfNothing(List<Command> commands) throws SQLException {
    connection.update("join-writers");
    Set<String> existing = existing(commands);
    return decideWithout(commands, existing, blanks(commands, "floors"));
  }

  private Map<Integer, Settled> decideWithout(
      List<Command> commands, Set<String> existing, Map<LeaseKey, LeaseRow.Found> blanks)
      throws SQLException {
    Map<Integer, Settled> decided = new TreeMap<>();
    for (int n : inTheOrderOfRows(commands)) {
      LeaseKey key = commands.get(n).key();
      LeaseRow.Found blank = blanks.get(key);
      if (blank != null && !existing.contains(key.text())) {
        decided.put(n, ruling.decide(commands.get(n), blank));
      }
    }
    return decided;
  }

  /** Two transactions that insert in different orders could wait for each other. */
  private static List<Integer> inTheOrderOfRows(List<Command> commands) {
    Comparator<Integer> byBucket = Comparator.comparingInt(n -> Buckets.of(commands.get(n).key()));
    return IntStream.range(0, commands.size())
        .boxed()
        .sorted(byBucket.thenComparing(n -> commands.get(n).key()))
        .toList();
  }

  private Map<LeaseKey, LeaseRow.Found> blanks(List<Command> commands, String floors)
      throws SQLException {
    Map<Integer, List<LeaseKey>> keys =
        commands.stream().map(Command::key).collect(Collectors.groupingBy(Buckets::of));
    Map<LeaseKey, LeaseRow.Found> blanks = new HashMap<>();
    connection.each(
        row -> {
          for (LeaseKey key : keys.getOrDefault(row.getInt(5), List.of())) {
            blanks.put(key, LeaseRow.blank(key, row));
          }
        },
        floors,
        connection.numbers(List.copyOf(keys.keySet())));
    return blanks;
  }

  private Set<String> existing(List<Command> commands) throws SQLException {
    return Set.copyOf(
        connection.list(
            row -> row.getString(1),
            "existing",
            ArrayStatements.columns(connection, commands).values()));
  }

  private Map<LeaseKey, LeaseRow.Found> rows(List<Command> commands, String lock)
      throws SQLException {
    Map<LeaseKey, LeaseRow.Found> found = new HashMap<>();
    connection.each(
        row -> {
          LeaseRow.Found one = LeaseRow.read(row);
          found.put(one.row().record().key(), one);
        },
        lock,
        ArrayStatements.columns(connection, commands).values());
    return found;
  }
}
