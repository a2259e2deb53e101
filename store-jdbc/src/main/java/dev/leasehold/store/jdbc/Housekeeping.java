package dev.leasehold.store.jdbc;

import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.kernel.spi.Limits;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Removes what nobody will ask for again: past grants beyond the last of each key, requests that
 * are no longer remembered, changes that everybody has heard of, tombstones of objects. A few
 * buckets are a transaction, so it is short, and two processes that do the same at once do no harm.
 */
final class Housekeeping {
  /** Far longer than a process needs to read them. */
  private static final long CHANGES_KEPT_MILLIS = Duration.ofMinutes(2).toMillis();

  /** How many buckets are looked at in one statement. */
  private static final int RANGE = 64;

  private static final int MAX_DELETED = 1_000;

  private final Dialect dialect;
  private final Sessions sessions;
  private final Limits limits;
  private int bucket;

  Housekeeping(Dialect dialect, Sessions sessions, Limits limits) {
    this.dialect = dialect;
    this.sessions = sessions;
    this.limits = limits;
  }

  /** All of it; returns how many rows were removed. */
  long tidyAll() throws SQLException {
    long removed = 0;
    for (int i = 0; i < Buckets.COUNT / RANGE; i++) {
      removed += tidy();
    }
    return removed;
  }

  /** A part of it, from where the last one ended. */
  synchronized long tidy() throws SQLException {
    long removed = sessions.use(this::tidy);
    bucket = (bucket + RANGE) % Buckets.COUNT;
    return removed;
  }

  private long tidy(Session session) throws SQLException {
    session.autoCommit(true);
    long now = session.query(rows -> rows.next() ? rows.getLong(1) : 0L, "clock");
    long forgottenBefore = now - limits.memoryMillis();
    int end = bucket + RANGE;
    long removed = session.update("trim-requests", bucket, end, forgottenBefore);
    if (dialect != Dialect.POSTGRESQL) {
      removed += session.update("trim-changes", now - CHANGES_KEPT_MILLIS);
    }
    removed += new ObjectPurge(dialect, limits).tidy(session, bucket, end);
    int deleted;
    do {
      deleted =
          session.update(
              "trim-past-grants", bucket, end, PastGrant.KEPT, forgottenBefore, MAX_DELETED);
      removed += deleted;
    } while (deleted == MAX_DELETED);
    return removed;
  }
}
