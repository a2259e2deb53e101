-- For many names at once, each a JSON array of type and id.
WITH asked AS MATERIALIZED (
  SELECT j.key + 1 AS n, j.value ->> 0 AS type, j.value ->> 1 AS id FROM json_each(?) j
)
SELECT a.n, o.type, o.id, o.version, o.created_at, o.updated_at, o.payload
  FROM asked a CROSS JOIN leasehold_object o
 WHERE o.type = a.type AND o.id = a.id AND o.deed < 2
