-- Objects that have no row yet. The floor is locked, so that neither a purge nor a deletion by hand
-- can raise it meanwhile. A row that this statement sees exists, also while another transaction
-- deletes it: it is left to the rules, as is a row that another transaction has just inserted, for
-- which this statement waits only briefly. For bindings and the incarnation, see put-objects.
WITH store AS MATERIALIZED (
  SELECT s.incarnation, @{incarnation-lock} AS incarnation_lock,
         set_config('lock_timeout', '1s', true) AS lock_timeout
    FROM leasehold_store s
   WHERE s.id = 1
), floored AS MATERIALIZED (
  SELECT a.*, l.floor
    FROM unnest(?::integer[], ?::text[], ?::text[], ?::text[], ?::bytea[])
         AS a (bucket, type, id, request_id, payload)
   CROSS JOIN LATERAL (
    SELECT f.version AS floor
      FROM leasehold_object_floor f
     WHERE f.bucket = a.bucket
     LIMIT 1
       FOR KEY SHARE SKIP LOCKED) l
), timed AS MATERIALIZED (
  SELECT f.*, @{now} AS now_ms FROM floored f
), written AS (
  INSERT INTO leasehold_object (
    type, id, bucket, version, deed, request_id, created_at, updated_at, payload)
  SELECT t.type, t.id, t.bucket,
         (greatest(t.floor >> 40, s.incarnation) << 40) | ((t.floor & 1099511627775) + 1),
         0, t.request_id, t.now_ms, t.now_ms, t.payload
    FROM timed t
   CROSS JOIN store s
   WHERE s.incarnation_lock >= 0
     AND s.lock_timeout IS NOT NULL
     AND t.floor & 1099511627775 < 1099511627775
     AND (SELECT 1 FROM leasehold_object o
           WHERE o.type = t.type AND o.id = t.id LIMIT 1) IS NULL
     AND (SELECT 1 FROM leasehold_object_binding b
           WHERE b.type = t.type AND b.id IN (t.id, '') LIMIT 1) IS NULL
     AND (SELECT 1 FROM leasehold_object_deed y
           WHERE y.bucket = t.bucket AND y.type = t.type AND y.id = t.id
             AND y.request_id = t.request_id
           LIMIT 1) IS NULL
   ORDER BY t.type, t.id
  ON CONFLICT DO NOTHING
  RETURNING type, id, version
)
SELECT w.type, w.id, w.version, @{unheard} FROM written w
