-- In the order of buckets; nothing is purged from them meanwhile.
WITH locked AS MATERIALIZED (
  SELECT f.bucket, f.token
    FROM leasehold_floor f
   WHERE f.bucket = ANY (?::integer[])
   ORDER BY f.bucket
     FOR KEY SHARE
)
SELECT l.token, @{now}, s.incarnation, s.held_off_until, l.bucket
  FROM locked l CROSS JOIN leasehold_store s
