-- Locks the dead records of a page, in buckets whose floor is locked, unless another transaction
-- has them locked, and checks them again by the clock that is read after the lock.
WITH locked AS MATERIALIZED (
  SELECT l.*, d.dead_millis
    FROM leasehold_lease l
         CROSS JOIN (SELECT CAST(? AS bigint) AS before, CAST(? AS bigint) AS dead_millis) d
   WHERE (l.bucket, l.key) > (?, ?) AND (l.bucket, l.key) <= (?, ?)
     AND l.bucket = ANY (?::integer[])
     AND @{dead-lease}
   ORDER BY l.bucket, l.key
   LIMIT ?
     FOR UPDATE OF l SKIP LOCKED
), timed AS MATERIALIZED (
  SELECT l.*, @{now} - l.dead_millis AS dead_before FROM locked l
)
SELECT l.bucket, l.last_token, l.bucket, l.key
  FROM timed l CROSS JOIN LATERAL (SELECT l.dead_before AS before) d
 WHERE @{dead-lease}
