-- The last row of a page of this size. There is none if the buckets up to the end have fewer rows.
SELECT l.bucket, l.key, '', '', 0
  FROM leasehold_lease l
 WHERE (l.bucket, l.key) > (?, ?) AND l.bucket < ?
 ORDER BY l.bucket, l.key
 LIMIT 1 OFFSET ?
