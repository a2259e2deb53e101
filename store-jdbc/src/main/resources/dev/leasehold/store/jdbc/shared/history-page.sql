-- The last row of a page of this size. There is none if the buckets up to the end have fewer rows.
SELECT p.bucket, p.key, '', '', p.token, p.followed_at
  FROM leasehold_past_grant p
 WHERE (p.bucket, p.key, p.token) > (?, ?, ?) AND p.bucket < ?
 ORDER BY p.bucket, p.key, p.token
 LIMIT 1 OFFSET ?
