-- Locks floors in the order of buckets; no object of these buckets is purged meanwhile.
SELECT f.bucket, f.version
  FROM leasehold_object_floor f
 WHERE f.bucket = ANY (?::integer[])
 ORDER BY f.bucket
   FOR KEY SHARE
