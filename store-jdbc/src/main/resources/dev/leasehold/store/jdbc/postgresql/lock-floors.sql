-- Nothing is purged from these buckets meanwhile. A floor that is being raised is left out: who
-- waited for it with others locked could wait for a transaction that waits for those.
WITH locked AS MATERIALIZED (
  SELECT f.bucket, f.token
    FROM leasehold_floor f
   WHERE f.bucket = ANY (?::integer[])
     FOR KEY SHARE SKIP LOCKED
)
SELECT l.token, @{now}, s.incarnation, s.held_off_until, l.bucket
  FROM locked l CROSS JOIN leasehold_store s
