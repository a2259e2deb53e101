-- No key of these buckets is purged meanwhile. A floor that is being raised is left out, because
-- waiting for it with other floors locked could deadlock.
WITH locked AS MATERIALIZED (
  SELECT f.bucket, f.token
    FROM leasehold_floor f
   WHERE f.bucket = ANY (?::integer[])
     FOR KEY SHARE SKIP LOCKED
)
SELECT l.token, @{now}, s.incarnation, s.held_off_until, l.bucket
  FROM locked l CROSS JOIN leasehold_store s
