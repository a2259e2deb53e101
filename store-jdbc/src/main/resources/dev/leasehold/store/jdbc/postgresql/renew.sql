-- Extends grants that are current, unexpired and making progress. Lost, stalled and locked ones are
-- left to the rules: they do not come back.
WITH store AS MATERIALIZED (
  SELECT incarnation FROM leasehold_store WHERE id = 1
), locked AS MATERIALIZED (
  SELECT a.n, coalesce(a.ttl_ms, l.ttl_ms) AS new_ttl_ms, a.progress AS mark, l.bucket, l.key,
         l.grant_token, l.stall_ms, l.expires_at, l.progress, l.progressed_at, l.written_at,
         @{row-id} AS row_id
    FROM unnest(?::integer[], ?::text[], ?::bigint[], ?::text[], ?::bigint[], ?::bigint[])
         WITH ORDINALITY AS a (bucket, key, token, instance_id, ttl_ms, progress, n)
    JOIN leasehold_lease l ON l.bucket = a.bucket AND l.key = a.key
   WHERE l.grant_token = a.token AND l.instance_id = a.instance_id AND l.standing = 0
   ORDER BY l.bucket, l.key
     FOR NO KEY UPDATE OF l SKIP LOCKED
), timed AS MATERIALIZED (
  SELECT k.*, greatest(@{now}, k.written_at) AS now_ms FROM locked k
)
UPDATE leasehold_lease l
   SET ttl_ms = d.new_ttl_ms, renewed_at = d.now_ms,
       expires_at = greatest(d.expires_at, d.now_ms + d.new_ttl_ms),
       progress = greatest(d.progress, d.mark),
       progressed_at = CASE WHEN d.mark > d.progress THEN d.now_ms ELSE d.progressed_at END,
       written_at = d.now_ms
  FROM timed d
 CROSS JOIN store s
 WHERE @{same-row}
   AND d.now_ms < d.expires_at
   AND d.grant_token >> 40 >= s.incarnation
   AND (d.stall_ms = 0 OR d.mark > d.progress OR d.now_ms - d.progressed_at < d.stall_ms)
RETURNING d.n, l.expires_at - d.now_ms
