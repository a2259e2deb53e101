-- The last row of a page of this size. There is none if the buckets up to the end have fewer rows.
SELECT d.bucket, d.type, d.id, d.request_id, 0
  FROM leasehold_object_deed d
 WHERE (d.bucket, d.type, d.id, d.request_id) > (?, ?, ?, ?) AND d.bucket < ?
 ORDER BY d.bucket, d.type, d.id, d.request_id
 LIMIT 1 OFFSET ?
