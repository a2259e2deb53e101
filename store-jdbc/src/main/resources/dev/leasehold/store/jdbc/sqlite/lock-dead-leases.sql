-- Of a page, with the write lock.
SELECT l.bucket, l.last_token, l.bucket, l.key
  FROM leasehold_lease l
       CROSS JOIN (SELECT min(CAST(? AS bigint), @{now} - CAST(? AS bigint)) AS before) d
 WHERE (l.bucket, l.key) > (?, ?) AND (l.bucket, l.key) <= (?, ?)
   AND l.bucket IN (SELECT j.value FROM json_each(?) j)
   AND @{dead-lease}
 ORDER BY l.bucket, l.key
 LIMIT ?
