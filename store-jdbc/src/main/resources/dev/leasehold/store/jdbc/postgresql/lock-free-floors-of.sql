-- Locks floors in the order of buckets; locked ones are left for another time.
SELECT f.bucket
  FROM <table> f
 WHERE f.bucket = ANY (?::integer[])
 ORDER BY f.bucket
   FOR UPDATE SKIP LOCKED
