SELECT f.bucket, f.version
  FROM leasehold_object_floor f
 WHERE f.bucket = ANY (?::integer[])
 ORDER BY f.bucket
   FOR UPDATE
