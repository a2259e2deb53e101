-- The last row of a page of so many. There is none if the buckets up to the end have fewer.
SELECT l.bucket, l.key
  FROM leasehold_lease l
 WHERE (l.bucket, l.key) > (?, ?) AND l.bucket < ?
 ORDER BY l.bucket, l.key
 LIMIT 1 OFFSET ?
