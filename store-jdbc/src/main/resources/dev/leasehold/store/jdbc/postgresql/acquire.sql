-- Grants keys that are free or expired, and returns the holders of the others. It decides from its
-- snapshot, without a lock: an acquire of a held key locks nothing and writes nothing. It locks only
-- rows that look free, and grants them if they are unchanged. Unusual commands (a repeat, a closed
-- key, a row that another transaction has locked or changed since this statement began) are left to
-- the rules: they come back as unusual, or as free but not as granted. A key that does not come back
-- has no row.
WITH store AS MATERIALIZED (
  SELECT incarnation, held_off_until FROM leasehold_store WHERE id = 1
), seen AS MATERIALIZED (
  SELECT a.n, a.instance_id AS new_instance_id, a.request_id AS new_request_id,
         a.holder AS new_holder, a.purpose AS new_purpose, a.region AS new_region,
         a.attributes AS new_attributes, a.ttl_ms AS new_ttl_ms, a.stall_ms AS new_stall_ms,
         l.*, @{row-id} AS row_id, @{now} AS clock_ms
    FROM unnest(?::integer[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
                ?::text[], ?::bigint[], ?::bigint[])
         WITH ORDINALITY AS a (bucket, key, instance_id, request_id, holder, purpose, region,
                               attributes, ttl_ms, stall_ms, n)
    JOIN leasehold_lease l ON l.bucket = a.bucket AND l.key = a.key
), judged AS MATERIALIZED (
  SELECT t.*, greatest(t.clock_ms, t.written_at) AS seen_ms,
         (greatest(t.last_token >> 40, s.incarnation) << 40) | ((t.last_token & 1099511627775) + 1)
           AS next_token,
         t.grant_token IS NOT NULL AND t.standing < 2 AND t.grant_token >> 40 >= s.incarnation
           AS current,
         CASE
           WHEN s.held_off_until > t.clock_ms
             OR t.closed_reason IS NOT NULL
                AND (t.closed_until IS NULL
                     OR greatest(t.clock_ms, t.written_at) < t.closed_until)
             OR t.barred_id IS NOT NULL
             OR t.last_token & 1099511627775 = 1099511627775
             OR t.request_id = t.new_request_id
             -- Not EXISTS: its plan may read the whole history once instead of an index each time.
             OR (SELECT 1 FROM leasehold_past_grant p
                  WHERE p.request_id = t.new_request_id LIMIT 1) IS NOT NULL
             OR (SELECT 1 FROM leasehold_request r
                  WHERE r.bucket = t.bucket AND r.key = t.key AND r.request_id = t.new_request_id
                  LIMIT 1) IS NOT NULL
             THEN 'unusual'
           WHEN t.grant_token IS NOT NULL AND t.standing = 0
            AND t.grant_token >> 40 >= s.incarnation
            AND greatest(t.clock_ms, t.written_at) < t.expires_at
             THEN 'held'
           ELSE 'free'
         END AS verdict
    FROM seen t
   CROSS JOIN store s
), locked AS MATERIALIZED (
  SELECT j.*, @{as-seen} AS as_seen
    FROM judged j
    JOIN leasehold_lease l ON @{row-seen}
   WHERE j.verdict = 'free'
     FOR UPDATE OF l SKIP LOCKED
), timed AS MATERIALIZED (
  -- Read after the lock. Within a statement too, time never goes back.
  SELECT k.*, greatest(@{now}, k.seen_ms) AS now_ms FROM locked k
), granted AS (
  UPDATE leasehold_lease l
     SET last_token = d.next_token, grant_token = d.next_token, instance_id = d.new_instance_id,
         inherited = false, request_id = d.new_request_id, holder = d.new_holder,
         purpose = d.new_purpose, region = d.new_region, attributes = d.new_attributes,
         ttl_ms = d.new_ttl_ms, stall_ms = d.new_stall_ms,
         granted_at = d.now_ms, renewed_at = d.now_ms, expires_at = d.now_ms + d.new_ttl_ms,
         progress = 0, progressed_at = d.now_ms, standing = 0, end_reason = NULL, end_by = NULL,
         end_why = NULL, ended_at = NULL, end_request = NULL, closed_reason = NULL,
         closed_until = NULL, written_at = d.now_ms
    FROM timed d
   WHERE @{same-row} AND d.as_seen
  RETURNING d.n, d.now_ms, d.next_token, d.grant_token AS followed_token, d.current,
            d.bucket, d.key, d.instance_id, d.inherited, d.request_id, d.holder, d.purpose,
            d.region, d.granted_at, d.standing, d.end_reason, d.end_by, d.end_why, d.end_request,
            d.new_holder
), followed AS (
  INSERT INTO leasehold_past_grant (
    bucket, key, token, instance_id, inherited, request_id, holder, purpose, region, granted_at,
    followed_at, reason, reason_by, reason_why, reason_token, end_request)
  SELECT g.bucket, g.key, g.followed_token, g.instance_id, g.inherited, g.request_id, g.holder,
         g.purpose, g.region, g.granted_at, g.now_ms,
         CASE WHEN g.standing = 2 THEN g.end_reason
              WHEN g.current THEN 'SUPERSEDED'
              ELSE 'INCARNATION_ADVANCED' END,
         CASE WHEN g.standing = 2 THEN g.end_by WHEN g.current THEN g.new_holder END,
         g.end_why,
         CASE WHEN g.current THEN g.next_token END,
         g.end_request
    FROM granted g
   WHERE g.followed_token IS NOT NULL
)
-- No join of the judged rows with the granted ones: its plan would compare each with each.
SELECT g.n, 'granted', g.now_ms, g.next_token, g.followed_token, g.current, NULL::text, NULL::text,
       NULL::bigint, @{unheard}
  FROM granted g
UNION ALL
SELECT j.n, j.verdict, j.seen_ms, j.next_token, j.grant_token, j.current, j.holder, j.instance_id,
       j.expires_at - j.seen_ms, false
  FROM judged j
