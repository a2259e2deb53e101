-- Writes locked rows and new ones, except a row that another transaction has just inserted.
WITH w AS MATERIALIZED (
  SELECT *
    FROM unnest(?::text[], ?::text[], ?::integer[], ?::bigint[], ?::smallint[], ?::text[],
                ?::bigint[], ?::bigint[], ?::bytea[], ?::boolean[])
         AS w (type, id, bucket, version, deed, request_id, created_at, updated_at, payload, is_new)
), updated AS (
  UPDATE leasehold_object o
     SET version = w.version, deed = w.deed, request_id = w.request_id, created_at = w.created_at,
         updated_at = w.updated_at, payload = w.payload
    FROM w
   WHERE NOT w.is_new AND o.type = w.type AND o.id = w.id
  RETURNING 1
), inserted AS (
  INSERT INTO leasehold_object (
    type, id, bucket, version, deed, request_id, created_at, updated_at, payload)
  SELECT w.type, w.id, w.bucket, w.version, w.deed, w.request_id, w.created_at, w.updated_at,
         w.payload
    FROM w
   WHERE w.is_new
   ORDER BY w.type, w.id
  ON CONFLICT DO NOTHING
  RETURNING 1
)
SELECT (SELECT count(*) FROM updated) + (SELECT count(*) FROM inserted), @{unheard}
