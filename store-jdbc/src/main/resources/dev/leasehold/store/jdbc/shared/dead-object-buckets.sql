-- The buckets of a page with deletions that are old enough, even if their objects were created again
-- since; read without a lock.
SELECT DISTINCT d.bucket
  FROM leasehold_object_deed d
 WHERE d.deed = 2 AND d.at <= ?
   AND (d.bucket, d.type, d.id, d.request_id) > (?, ?, ?, ?)
   AND (d.bucket, d.type, d.id, d.request_id) <= (?, ?, ?, ?)
 ORDER BY d.bucket
