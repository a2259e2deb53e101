package dev.leasehold.benchmarks.micro;

import dev.leasehold.blocks.rows.table.HeartbeatResult;
import dev.leasehold.blocks.rows.table.LeaseTable;
import dev.leasehold.blocks.rows.table.ReapOutcome;
import dev.leasehold.blocks.rows.table.TableEntry;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * A server behind which workers hold many rows for 30 s, with a heartbeat every 10 s and a search
 * every 100 ms. Its time is virtual. Only the table keeps the ids; a heartbeat makes its own, as it
 * does when it comes by HTTP.
 */
final class ServedRows {
  private static final long DAY = Duration.ofDays(1).toMillis();
  private static final long LENGTH_MILLIS = 30_000;
  private static final long SEARCH_EVERY_MILLIS = 100;
  private static final int SEARCHES_PER_HEARTBEAT = 100;
  private static final int ROWS_PER_WORKER = 100;
  private static final int PAGE = 1_000;

  /**
   * A prime, so that heartbeats come in another order than the rows did, and reach each of them.
   */
  private static final long STRIDE = 2_654_435_761L;

  private final LeaseTable<UUID> table = new LeaseTable<>(ServedRows::hash, DAY, 0);
  private final int count;
  private long nowMillis;
  private long heartbeats;

  ServedRows(int count) {
    this.count = count;
  }

  void enter() {
    for (int i = 0; i < count; i++) {
      table.enter(
          new TableEntry<>(
              id(i), 1, i / ROWS_PER_WORKER, LENGTH_MILLIS, nowMillis + LENGTH_MILLIS));
    }
  }

  /** The heartbeats between one search and the next. */
  void heartbeats() {
    nowMillis += SEARCH_EVERY_MILLIS;
    for (int i = 0; i < Math.max(1, count / SEARCHES_PER_HEARTBEAT); i++) {
      heartbeats++;
      int row = (int) (heartbeats * STRIDE % count);
      if (!(table.heartbeat(id(row), 1, row / ROWS_PER_WORKER, nowMillis)
          instanceof HeartbeatResult.Extended)) {
        throw new IllegalStateException("row " + row + " is not held");
      }
    }
  }

  /** A search that finds something would make the measured cost another one. */
  void searchInVain() {
    if (!table.expired(nowMillis, PAGE).isEmpty()) {
      throw new IllegalStateException("a row has expired");
    }
  }

  /** No heartbeat comes any more, and each row is found and freed. */
  void expireAll() {
    nowMillis += 2 * LENGTH_MILLIS;
    int found = 0;
    List<TableEntry<UUID>> page;
    do {
      page = table.expired(nowMillis, PAGE);
      for (TableEntry<UUID> entry : page) {
        table.settle(entry.place(), entry.token(), new ReapOutcome.Freed());
      }
      found += page.size();
    } while (!page.isEmpty());
    if (found != count || table.size() != 0) {
      throw new IllegalStateException(found + " of " + count + " rows were found");
    }
  }

  private static UUID id(int row) {
    return new UUID(row * 0x9E3779B97F4A7C15L, row);
  }

  private static long hash(UUID id) {
    return id.getMostSignificantBits() ^ id.getLeastSignificantBits();
  }
}
