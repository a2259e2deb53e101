package dev.leasehold.store.jdbc;

import dev.leasehold.kernel.spi.Buckets;
import dev.leasehold.kernel.spi.Limits;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Removes what nobody will ask for again: past grants beyond the last of each key, requests that
 * are no longer remembered, changes that everybody has heard of. A bucket is a transaction, so it
 * is short, and two processes that do the same at once do no harm.
 */
final class Housekeeping {
  /** Far longer than a process needs to read them. */
  private static final long CHANGES_KEPT_MILLIS = Duration.ofMinutes(2).toMillis();

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

  /** As many buckets, from where the last round ended. */
  synchronized void tidy(int buckets) throws SQLException {
    boolean unused =
        sessions.use(
            session -> {
              session.autoCommit(true);
              long now = session.query(rows -> rows.next() ? rows.getLong(1) : 0L, "clock");
              if (dialect != Dialect.POSTGRESQL) {
                session.update("trim-changes", now - CHANGES_KEPT_MILLIS);
              }
              for (int i = 0; i < buckets; i++) {
                tidyBucket(session, now - limits.memoryMillis());
                bucket = (bucket + 1) % Buckets.COUNT;
              }
              return true;
            });
  }

  private void tidyBucket(Session session, long forgottenBefore) throws SQLException {
    session.update("trim-requests", bucket, forgottenBefore);
    int deleted;
    do {
      deleted =
          session.update("trim-past-grants", bucket, PastGrant.KEPT, forgottenBefore, MAX_DELETED);
    } while (deleted == MAX_DELETED);
  }
}
