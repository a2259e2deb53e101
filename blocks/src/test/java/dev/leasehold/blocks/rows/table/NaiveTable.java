package dev.leasehold.blocks.rows.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What {@link LeaseTable} must answer, from a sorted map that is searched from end to end. It is
 * written after the states in the package document, and shares no line with the table.
 */
final class NaiveTable {
  private final TreeMap<Integer, Row> rows = new TreeMap<>();

  /** Whether a statement that frees the row may be on its way, and whether the row is here. */
  private record Row(TableEntry<Integer> entry, boolean reaped, boolean here) {
    Row until(long lengthMillis, long deadlineMillis) {
      long length = Math.max(lengthMillis, entry.lengthMillis());
      long deadline = Math.max(deadlineMillis, entry.deadlineMillis());
      return new Row(
          new TableEntry<>(entry.place(), entry.token(), entry.worker(), length, deadline),
          reaped,
          here);
    }
  }

  EnterResult enter(TableEntry<Integer> entry) {
    Row row = rows.get(entry.place());
    if (row == null || row.entry.token() < entry.token()) {
      rows.put(entry.place(), new Row(entry, false, true));
      return EnterResult.ENTERED;
    }
    if (row.entry.token() > entry.token()) {
      return EnterResult.OUTDATED;
    }
    Row both = row.until(entry.lengthMillis(), entry.deadlineMillis());
    rows.put(entry.place(), new Row(both.entry, row.reaped, true));
    return row.reaped ? EnterResult.REAPING : EnterResult.KNOWN;
  }

  HeartbeatResult heartbeat(int place, long token, long worker, long now) {
    Row row = rows.get(place);
    if (row != null && row.entry.token() == token && row.entry.worker() != worker) {
      return new HeartbeatResult.Superseded();
    }
    return lengthen(place, token, 1, now);
  }

  HeartbeatResult lengthen(int place, long token, long length, long now) {
    Row row = rows.get(place);
    if (row == null || row.entry.token() < token) {
      return new HeartbeatResult.Unknown();
    }
    if (row.entry.token() > token) {
      return new HeartbeatResult.Superseded();
    }
    long longer = Math.max(length, row.entry.lengthMillis());
    rows.put(place, row.until(longer, row.reaped ? Long.MIN_VALUE : now + longer));
    return row.reaped ? new HeartbeatResult.Reaping() : new HeartbeatResult.Extended(longer);
  }

  RemoveResult remove(int place, long token) {
    Row row = rows.get(place);
    if (row == null) {
      return RemoveResult.UNKNOWN;
    }
    if (row.entry.token() > token) {
      return RemoveResult.OUTDATED;
    }
    boolean remembered = row.reaped && row.entry.token() == token;
    put(place, remembered ? new Row(row.entry, true, false) : null);
    return row.here ? RemoveResult.REMOVED : RemoveResult.UNKNOWN;
  }

  /** All that a search may return. */
  List<TableEntry<Integer>> due(long now) {
    List<TableEntry<Integer>> due = new ArrayList<>();
    for (Row row : rows.values()) {
      long foundFrom = Math.ceilDiv(row.entry.deadlineMillis(), 64) * 64;
      if (!row.reaped && foundFrom <= now) {
        due.add(row.entry);
      }
    }
    return due;
  }

  void reaping(int place) {
    rows.computeIfPresent(place, (at, row) -> new Row(row.entry, true, true));
  }

  void settle(int place, long token, ReapOutcome outcome) {
    Row row = rows.get(place);
    if (row == null || row.entry.token() != token || !row.reaped) {
      return;
    }
    switch (outcome) {
      case ReapOutcome.StillHeld(long deadline) when row.here ->
          rows.put(place, new Row(row.until(1, deadline).entry, false, true));
      case ReapOutcome other -> rows.remove(place);
    }
  }

  Optional<TableEntry<Integer>> entry(int place) {
    return Optional.ofNullable(rows.get(place)).filter(Row::here).map(Row::entry);
  }

  /** The token of a row, or of the memory of one. */
  long token(int place) {
    Row row = rows.get(place);
    return row == null ? 0 : row.entry.token();
  }

  List<TableEntry<Integer>> ofWorker(long worker) {
    return rows.values().stream()
        .filter(Row::here)
        .map(Row::entry)
        .filter(entry -> entry.worker() == worker)
        .toList();
  }

  int size() {
    return (int) rows.values().stream().filter(Row::here).count();
  }

  int reaping() {
    return (int) rows.values().stream().filter(Row::reaped).count();
  }

  private void put(int place, @Nullable Row row) {
    if (row == null) {
      rows.remove(place);
    } else {
      rows.put(place, row);
    }
  }
}
