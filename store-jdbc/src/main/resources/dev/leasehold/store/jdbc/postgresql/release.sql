-- Ends grants that are current and the caller's own. The rest is left to the rules.
WITH store AS MATERIALIZED (
  SELECT incarnation FROM leasehold_store WHERE id = 1
), locked AS MATERIALIZED (
  SELECT a.n, a.request_id AS end_request, l.bucket, l.key, l.grant_token, l.written_at,
         @{row-id} AS row_id
    FROM unnest(?::integer[], ?::text[], ?::bigint[], ?::text[], ?::text[])
         WITH ORDINALITY AS a (bucket, key, token, instance_id, request_id, n)
    JOIN leasehold_lease l ON l.bucket = a.bucket AND l.key = a.key
   WHERE l.grant_token = a.token AND l.instance_id = a.instance_id AND l.standing < 2
   ORDER BY l.bucket, l.key
     FOR UPDATE OF l SKIP LOCKED
), timed AS MATERIALIZED (
  SELECT k.*, greatest(@{now}, k.written_at) AS now_ms FROM locked k
)
UPDATE leasehold_lease l
   SET standing = 2, end_reason = 'RELEASED', ended_at = d.now_ms, end_request = d.end_request,
       written_at = d.now_ms
  FROM timed d
 CROSS JOIN store s
 WHERE @{same-row} AND d.grant_token >> 40 >= s.incarnation
RETURNING d.n, @{unheard}
