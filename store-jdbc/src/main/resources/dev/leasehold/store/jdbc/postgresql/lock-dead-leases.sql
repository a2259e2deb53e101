-- Of a page and of buckets whose floor is locked: locks the dead records that nobody else has
-- locked, and judges them again by the clock that is read after the lock.
WITH locked AS MATERIALIZED (
  SELECT l.*
    FROM leasehold_lease l CROSS JOIN (SELECT CAST(? AS bigint) AS before) d
   WHERE (l.bucket, l.key) > (?, ?) AND (l.bucket, l.key) <= (?, ?)
     AND l.bucket = ANY (?::integer[])
     AND @{dead-lease}
   ORDER BY l.bucket, l.key
   LIMIT ?
     FOR UPDATE OF l SKIP LOCKED
), timed AS MATERIALIZED (
  SELECT l.*, @{now} - CAST(? AS bigint) AS dead_before FROM locked l
)
SELECT l.bucket, l.key, l.last_token
  FROM timed l CROSS JOIN LATERAL (SELECT l.dead_before AS before) d
 WHERE @{dead-lease}
