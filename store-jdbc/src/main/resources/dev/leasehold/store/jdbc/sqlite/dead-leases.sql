-- Of a page, with the write lock.
SELECT l.bucket, l.key, l.last_token
  FROM leasehold_lease l CROSS JOIN (SELECT CAST(? AS bigint) AS before) d
 WHERE (l.bucket, l.key) > (?, ?) AND (l.bucket, l.key) <= (?, ?)
   AND @{dead-lease}
 ORDER BY l.bucket, l.key
 LIMIT ?
