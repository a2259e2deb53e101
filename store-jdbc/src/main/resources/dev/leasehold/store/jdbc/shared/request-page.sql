-- The last row of a page of this size. There is none if the buckets up to the end have fewer rows.
SELECT r.bucket, r.key, '', r.request_id, 0
  FROM leasehold_request r
 WHERE (r.bucket, r.key, r.request_id) > (?, ?, ?) AND r.bucket < ?
 ORDER BY r.bucket, r.key, r.request_id
 LIMIT 1 OFFSET ?
