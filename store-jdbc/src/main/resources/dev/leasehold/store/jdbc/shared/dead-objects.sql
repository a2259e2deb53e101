-- The tombstones that the old deletions of a page have left.
SELECT o.bucket, o.version, o.type, o.id, o.version
  FROM leasehold_object_deed d
  JOIN leasehold_object o ON o.type = d.type AND o.id = d.id AND o.version = d.version
 WHERE d.deed = 2 AND d.at <= ? AND d.at <= @{now} - CAST(? AS bigint)
   AND (d.bucket, d.type, d.id, d.request_id) > (?, ?, ?, ?)
   AND (d.bucket, d.type, d.id, d.request_id) <= (?, ?, ?, ?)
   AND d.bucket @{in-buckets}
   AND o.deed = 2
 ORDER BY o.type, o.id
 LIMIT ?
