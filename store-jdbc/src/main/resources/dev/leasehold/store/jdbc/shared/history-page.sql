-- The last row of a page of so many. There is none if the buckets up to the end have fewer.
SELECT p.bucket, p.key, p.token, p.followed_at
  FROM leasehold_past_grant p
 WHERE (p.bucket, p.key, p.token) > (?, ?, ?) AND p.bucket < ?
 ORDER BY p.bucket, p.key, p.token
 LIMIT 1 OFFSET ?
