package dev.leasehold.store.jdbc;

import java.time.Duration;

/** Rows by the million, made by the server itself. */
final class ManyRows {
  private static final String NOW =
      "floor(extract(epoch FROM pg_catalog.clock_timestamp()) * 1000)::bigint";

  private ManyRows() {}

  /**
   * Past grants of this number of keys, with this number each, all followed a day ago. They are
   * stored in the order of granting, those of one key far apart; the indexes are made afterwards.
   *
   * @param buckets over how many buckets the keys are spread
   */
  static String pastGrants(int keys, int each, int buckets) {
    return """
    SET maintenance_work_mem = '1GB';
    ALTER TABLE leasehold_past_grant DROP CONSTRAINT leasehold_past_grant_pkey;
    DROP INDEX leasehold_past_grant_by_request;
    INSERT INTO leasehold_past_grant (bucket, key, token, instance_id, inherited, request_id,
      holder, purpose, region, granted_at, followed_at, reason)
    SELECT k %% %5$d, 'run/past-' || k, (700::bigint << 40) + g, repeat('a', 64), false,
           'r' || k || '-' || g, 'ann', '', '', %1$s - %2$d - 1000 + g, %1$s - %2$d + g, 'RELEASED'
      FROM generate_series(1, %4$d) g CROSS JOIN generate_series(1, %3$d) k;
    ALTER TABLE leasehold_past_grant ADD PRIMARY KEY (bucket, key, token);
    CREATE INDEX leasehold_past_grant_by_request ON leasehold_past_grant (request_id);
    """
        .formatted(NOW, Duration.ofDays(1).toMillis(), keys, each, buckets);
  }

  /** Records of keys that were released a number of days ago. */
  static String records(String name, int keys, int days) {
    return """
    INSERT INTO leasehold_lease (bucket, key, last_token, grant_token, instance_id, inherited,
      request_id, holder, purpose, region, attributes, ttl_ms, stall_ms, granted_at, renewed_at,
      expires_at, progress, progressed_at, standing, end_reason, ended_at, written_at)
    SELECT k %% 2048, 'run/%3$s-' || k, (700::bigint << 40) + k, (700::bigint << 40) + k,
           repeat('a', 64), false, 'r' || k, 'ann', '', '', '', 30000, 0, at, at, at + 30000, 0, at,
           2, 'RELEASED', at, at
      FROM generate_series(1, %4$d) k CROSS JOIN (SELECT %1$s - %2$d AS at) t
    """
        .formatted(NOW, Duration.ofDays(days).toMillis(), name, keys);
  }
}
