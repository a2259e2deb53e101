SELECT l.bucket, l.key
  FROM leasehold_lease l
 WHERE (l.bucket, l.key) > (?, ?) AND l.written_at <= ?
 ORDER BY l.bucket, l.key
 LIMIT ?
