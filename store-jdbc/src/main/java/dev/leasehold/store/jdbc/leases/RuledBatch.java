package dev.leasehold.store.jdbc.leases;

import dev.leasehold.fence.LeaseKey;
import dev.leasehold.kernel.Grant;
import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.kernel.spi.Command;
import dev.leasehold.kernel.spi.Limits;
import dev.leasehold.store.jdbc.connections.Session;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The rules over many rows of a server, in one transaction of the caller's. Answers are by the
 * number of the command; what is missing could not be decided without waiting for others.
 */
public final class RuledBatch {
  private final Session session;
  private final Ruling ruling;

  public RuledBatch(Session session, Limits limits) {
    this.session = session;
    this.ruling = new Ruling(session, limits);
  }

  /** One after the other, of one key or of several; waits for rows. */
  Map<Integer, Settled> decideInOrder(List<Command> commands) throws SQLException {
    Map<Integer, Settled> decided = new TreeMap<>();
    for (int n = 0; n < commands.size(); n++) {
      decided.put(n, ruling.decideAlone(commands.get(n)));
    }
    return decided;
  }

  /**
   * Acquires that are refused by what is seen without a lock: nothing is locked or written for
   * them. What is missing may be granted, or tells of more than a refusal.
   */
  Map<Integer, Settled> refuse(List<Command> acquires) throws SQLException {
    Map<LeaseKey, LeaseRow.Found> rows = rows(acquires, "read-leases");
    List<Command> without = acquires.stream().filter(c -> !rows.containsKey(c.key())).toList();
    if (!without.isEmpty()) {
      // Of a row that is gone, too, the floor tells what was issued.
      rows.putAll(blanks(without, "floors"));
    }
    Map<Integer, Settled> refused = new TreeMap<>();
    for (int n = 0; n < acquires.size(); n++) {
      LeaseRow.Found found = rows.get(acquires.get(n).key());
      if (found != null) {
        int number = n;
        ruling.refusal(acquires.get(n), found).ifPresent(settled -> refused.put(number, settled));
      }
    }
    return refused;
  }

  /** The same for commands on one key, up to the first that may change it. */
  Map<Integer, Settled> refuseFirst(List<Command> ofOneKey) throws SQLException {
    List<Command> acquires =
        ofOneKey.stream().takeWhile(Command.Acquire.class::isInstance).toList();
    if (acquires.isEmpty()) {
      return Map.of();
    }
    Map<Integer, Settled> refused = refuse(acquires);
    int first = 0;
    while (refused.containsKey(first)) {
      first++;
    }
    int mayChangeIt = first;
    refused.keySet().removeIf(n -> n > mayChangeIt);
    return refused;
  }

  /** The latest grant of each key that has had one, as it is seen without a lock. */
  Map<LeaseKey, Grant> grants(List<Command> commands) throws SQLException {
    Map<LeaseKey, Grant> grants = new HashMap<>();
    rows(commands, "read-leases")
        .forEach(
            (key, found) ->
                found.row().record().grant().ifPresent(grant -> grants.put(key, grant)));
    return grants;
  }

  /** Which of these keys have a row that another transaction has locked. */
  static Set<LeaseKey> locked(Session session, List<LeaseKey> keys) throws SQLException {
    PreparedStatement statement = session.prepare("locked-leases");
    Object[] buckets = keys.stream().map(Buckets::of).toArray();
    Object[] texts = keys.stream().map(LeaseKey::text).toArray();
    statement.setArray(1, session.connection().createArrayOf("int4", buckets));
    statement.setArray(2, session.connection().createArrayOf("text", texts));
    Set<LeaseKey> locked = new HashSet<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        locked.add(new LeaseKey(rows.getString(1)));
      }
    }
    return locked;
  }

  /** Rows that exist and that nobody has locked. */
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
   * Keys that have no row. Their floors are locked, so that none of them is purged meanwhile; but
   * not for a row that is there and locked by another, which would cost a write each time.
   */
  Map<Integer, Settled> decideNew(List<Command> commands) throws SQLException {
    session.update("join-writers");
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
   * They change nothing, so no floor needs to be locked. But it is read after the row is found to
   * be gone, and no table is emptied meanwhile: a floor of before would say that writes were lost.
   */
  public Map<Integer, Settled> decideRenewalsOfNothing(List<Command> commands) throws SQLException {
    session.update("join-writers");
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

  /** Whoever inserts in another order may wait for somebody who waits for him. */
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
    PreparedStatement statement = session.prepare(floors);
    statement.setArray(1, session.connection().createArrayOf("int4", keys.keySet().toArray()));
    Map<LeaseKey, LeaseRow.Found> blanks = new HashMap<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        for (LeaseKey key : keys.getOrDefault(rows.getInt(5), List.of())) {
          blanks.put(key, LeaseRow.blank(key, rows));
        }
      }
    }
    return blanks;
  }

  private Set<String> existing(List<Command> commands) throws SQLException {
    PreparedStatement statement = session.prepare("existing");
    new ArrayStatements(session).bindKeys(statement, 0, commands);
    Set<String> keys = new HashSet<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        keys.add(rows.getString(1));
      }
    }
    return keys;
  }

  private Map<LeaseKey, LeaseRow.Found> rows(List<Command> commands, String lock)
      throws SQLException {
    PreparedStatement statement = session.prepare(lock);
    new ArrayStatements(session).bindKeys(statement, 0, commands);
    Map<LeaseKey, LeaseRow.Found> found = new HashMap<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        LeaseRow.Found row = LeaseRow.read(rows);
        found.put(row.row().record().key(), row);
      }
    }
    return found;
  }
}
