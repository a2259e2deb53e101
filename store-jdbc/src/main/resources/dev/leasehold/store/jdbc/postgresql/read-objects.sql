-- LATERAL and LIMIT: see put-objects.
SELECT a.n, o.type, o.id, o.version, o.created_at, o.updated_at, o.payload
  FROM unnest(?::text[], ?::text[]) WITH ORDINALITY AS a (type, id, n)
 CROSS JOIN LATERAL (
  SELECT i.type, i.id, i.version, i.created_at, i.updated_at, i.payload
    FROM leasehold_object i
   WHERE i.type = a.type AND i.id = a.id AND i.deed < 2
   LIMIT 1) o
