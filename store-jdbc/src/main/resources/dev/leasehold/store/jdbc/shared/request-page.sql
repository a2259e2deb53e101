-- The last row of a page of so many. There is none if the buckets up to the end have fewer.
SELECT r.bucket, r.key, r.request_id
  FROM leasehold_request r
 WHERE (r.bucket, r.key, r.request_id) > (?, ?, ?) AND r.bucket < ?
 ORDER BY r.bucket, r.key, r.request_id
 LIMIT 1 OFFSET ?
