-- Of a page: the buckets with records that seem dead. No lock is taken to see that.
SELECT DISTINCT l.bucket
  FROM leasehold_lease l CROSS JOIN (SELECT CAST(? AS bigint) AS before) d
 WHERE (l.bucket, l.key) > (?, ?) AND (l.bucket, l.key) <= (?, ?)
   AND @{dead-lease}
 ORDER BY l.bucket
