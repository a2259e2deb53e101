-- The buckets of a page with records that seem dead, read without a lock.
SELECT DISTINCT l.bucket
  FROM leasehold_lease l CROSS JOIN (SELECT CAST(? AS bigint) AS before) d
 WHERE (l.bucket, l.key) > (?, ?) AND (l.bucket, l.key) <= (?, ?)
   AND @{dead-lease}
 ORDER BY l.bucket
