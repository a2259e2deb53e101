-- Keys that have no row yet. The floor is locked, so that neither a purge nor a deletion by hand can
-- raise it meanwhile. A row that this statement sees exists, also while another transaction deletes
-- it: that floor may not have been raised yet. It is left to be decided again, as is a row that
-- another transaction has just inserted.
WITH asked AS MATERIALIZED (
  SELECT *
    FROM unnest(?::integer[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
                ?::text[], ?::bigint[], ?::bigint[])
    WITH ORDINALITY AS a (bucket, key, instance_id, request_id, holder, purpose, region,
                          attributes, ttl_ms, stall_ms, n)
), floors AS MATERIALIZED (
  SELECT f.bucket, f.token
    FROM leasehold_floor f
   WHERE f.bucket IN (SELECT a.bucket FROM asked a)
     -- While nothing is granted, nothing is locked.
     AND (SELECT s.held_off_until <= @{now} FROM leasehold_store s WHERE s.id = 1)
   ORDER BY f.bucket
     FOR KEY SHARE SKIP LOCKED
), timed AS MATERIALIZED (
  SELECT f.bucket, f.token, @{now} AS now_ms FROM floors f
), judged AS MATERIALIZED (
  SELECT a.*, t.now_ms,
         (greatest(t.token >> 40, s.incarnation) << 40) | ((t.token & 1099511627775) + 1)
           AS next_token
    FROM asked a
    JOIN timed t ON t.bucket = a.bucket
    JOIN leasehold_store s ON s.id = 1
   WHERE t.token & 1099511627775 < 1099511627775
     AND (SELECT 1 FROM leasehold_lease l
           WHERE l.bucket = a.bucket AND l.key = a.key LIMIT 1) IS NULL
), granted AS (
  INSERT INTO leasehold_lease (
    bucket, key, last_token, grant_token, instance_id, inherited, request_id, holder, purpose,
    region, attributes, ttl_ms, stall_ms, granted_at, renewed_at, expires_at, progress,
    progressed_at, standing, written_at)
  SELECT j.bucket, j.key, j.next_token, j.next_token, j.instance_id, false, j.request_id, j.holder,
         j.purpose, j.region, j.attributes, j.ttl_ms, j.stall_ms, j.now_ms, j.now_ms,
         j.now_ms + j.ttl_ms, 0, j.now_ms, 0, j.now_ms
    FROM judged j
   ORDER BY j.bucket, j.key
  ON CONFLICT DO NOTHING
  RETURNING key, granted_at, grant_token
)
SELECT g.key, g.granted_at, g.grant_token, @{unheard} FROM granted g
