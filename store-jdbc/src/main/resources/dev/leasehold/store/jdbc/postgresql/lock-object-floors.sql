-- In the order of buckets; nothing is purged from them meanwhile.
SELECT f.bucket, f.version
  FROM leasehold_object_floor f
 WHERE f.bucket = ANY (?::integer[])
 ORDER BY f.bucket
   FOR KEY SHARE
