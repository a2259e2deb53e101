-- Extends what is current, unexpired and moving. What is lost, stalled or locked is left to be
-- decided by the rules: it does not come back.
WITH locked AS MATERIALIZED (
  SELECT a.n, coalesce(a.ttl_ms, l.ttl_ms) AS new_ttl_ms, a.progress AS mark, l.bucket, l.key,
         l.grant_token, l.stall_ms, l.expires_at, l.progress, l.progressed_at, l.written_at
    FROM unnest(?::integer[], ?::text[], ?::bigint[], ?::text[], ?::bigint[], ?::bigint[])
         WITH ORDINALITY AS a (bucket, key, token, instance_id, ttl_ms, progress, n)
    JOIN leasehold_lease l ON l.bucket = a.bucket AND l.key = a.key
   WHERE l.grant_token = a.token AND l.instance_id = a.instance_id AND l.standing = 0
   ORDER BY l.bucket, l.key
     FOR NO KEY UPDATE OF l SKIP LOCKED
), timed AS MATERIALIZED (
  SELECT k.*, greatest(@{now}, k.written_at) AS now_ms FROM locked k
), moved AS MATERIALIZED (
  SELECT t.*, CASE WHEN t.mark > t.progress THEN t.now_ms ELSE t.progressed_at END AS moved_at
    FROM timed t
)
UPDATE leasehold_lease l
   SET ttl_ms = m.new_ttl_ms, renewed_at = m.now_ms,
       expires_at = greatest(m.expires_at, m.now_ms + m.new_ttl_ms),
       progress = greatest(m.progress, m.mark), progressed_at = m.moved_at, written_at = m.now_ms
  FROM moved m
 CROSS JOIN leasehold_store s
 WHERE l.bucket = m.bucket AND l.key = m.key
   AND m.now_ms < m.expires_at
   AND m.grant_token >> 40 >= s.incarnation
   AND (m.stall_ms = 0 OR m.now_ms - m.moved_at < m.stall_ms)
RETURNING m.n, l.expires_at - m.now_ms
