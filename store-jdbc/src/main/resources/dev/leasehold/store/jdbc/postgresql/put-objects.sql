-- Writes objects that have a row, and returns which of them are not at the expected version (NULL:
-- any version). Unusual commands (a repeat, a bound object, a row that another transaction has
-- locked, or changed since this statement began) are left to the rules: they come back as unusual,
-- or not at all. The tables are locked before the statement's snapshot is taken, so a binding or an
-- advance has either finished and is seen, or waits; above READ COMMITTED the store's row shows it.
WITH store AS MATERIALIZED (
  SELECT s.incarnation, @{incarnation-lock} AS incarnation_lock FROM leasehold_store s WHERE s.id = 1
), locked AS MATERIALIZED (
  -- They are given, and so locked, in the order of (type, id). LATERAL and LIMIT: else a plan that
  -- is made while there are few objects reads all of them, and is kept when there are many.
  SELECT a.n, a.request_id AS new_request_id, a.payload AS new_payload, a.expected, l.*
    FROM unnest(?::text[], ?::text[], ?::text[], ?::bytea[], ?::bigint[])
         WITH ORDINALITY AS a (type, id, request_id, payload, expected, n)
   CROSS JOIN LATERAL (
    SELECT o.type, o.id, o.bucket, o.version, o.deed, o.request_id, o.created_at, o.updated_at,
           o.ctid AS row_id
      FROM leasehold_object o
     WHERE o.type = a.type AND o.id = a.id
     LIMIT 1
       FOR UPDATE SKIP LOCKED) l
), timed AS MATERIALIZED (
  SELECT k.*, greatest(@{now}, k.updated_at) AS now_ms FROM locked k
), judged AS MATERIALIZED (
  SELECT t.*,
         (greatest(t.version >> 40, s.incarnation) << 40) | ((t.version & 1099511627775) + 1)
           AS next_version,
         CASE
           WHEN s.incarnation_lock < 0
             OR t.version & 1099511627775 = 1099511627775
             OR t.request_id = t.new_request_id
             -- Not EXISTS: its plan may read the whole table once instead of an index each time.
             OR (SELECT 1 FROM leasehold_object_binding b
                  WHERE b.type = t.type AND b.id IN (t.id, '') LIMIT 1) IS NOT NULL
             OR (SELECT 1 FROM leasehold_object_deed y
                  WHERE y.bucket = t.bucket AND y.type = t.type AND y.id = t.id
                    AND y.request_id = t.new_request_id
                  LIMIT 1) IS NOT NULL
             THEN 'unusual'
           WHEN t.expected IS NULL OR t.deed < 2 AND t.expected = t.version THEN 'written'
           -- If the row is newer than the snapshot, the snapshot may lack a remembered request of it.
           WHEN (SELECT 1 FROM leasehold_object v WHERE v.ctid = t.row_id) IS NULL THEN 'unusual'
           ELSE 'conflict'
         END AS verdict
    FROM timed t
   CROSS JOIN store s
), written AS (
  UPDATE leasehold_object o
     SET version = d.next_version, deed = CASE WHEN d.deed = 2 THEN 0 ELSE 1 END,
         request_id = d.new_request_id,
         created_at = CASE WHEN d.deed = 2 THEN d.now_ms ELSE d.created_at END,
         updated_at = d.now_ms, payload = d.new_payload
    FROM judged d
   -- Exactly the locked version, found without an index, and not at all if it is newer than this
   -- statement's snapshot.
   WHERE o.ctid = d.row_id AND d.verdict = 'written'
  RETURNING d.n, o.version, o.deed, o.updated_at, d.bucket, d.type, d.id,
            d.request_id AS old_request_id, d.version AS old_version, d.deed AS old_deed,
            d.updated_at AS old_updated_at
), remembered AS (
  INSERT INTO leasehold_object_deed (bucket, type, id, request_id, version, deed, at)
  SELECT w.bucket, w.type, w.id, w.old_request_id, w.old_version, w.old_deed, w.old_updated_at
    FROM written w
   WHERE w.old_deed < 2 AND w.old_updated_at >= w.updated_at - ?
  ON CONFLICT DO NOTHING
)
SELECT w.n, 'written', w.version, w.deed, @{unheard} FROM written w
UNION ALL
SELECT j.n, j.verdict, j.version, j.deed, false FROM judged j WHERE j.verdict <> 'written'
