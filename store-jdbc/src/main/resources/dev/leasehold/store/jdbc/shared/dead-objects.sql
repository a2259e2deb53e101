-- Of a page: deletions that were made so long ago, whatever became of their objects since.
SELECT d.bucket, d.type, d.id, d.version
  FROM leasehold_object_deed d
 WHERE (d.bucket, d.type, d.id, d.request_id) > (?, ?, ?, ?)
   AND (d.bucket, d.type, d.id, d.request_id) <= (?, ?, ?, ?)
   AND d.deed = 2 AND d.at <= ?
 ORDER BY d.bucket, d.type, d.id, d.version
 LIMIT ?
