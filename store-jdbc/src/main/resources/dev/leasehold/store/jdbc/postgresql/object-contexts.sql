-- Runs after the rows are locked, so that no write of these objects can be recorded meanwhile. It
-- is a separate statement, because one that waits for a lock sees the state from before it waited.
-- An object's own binding takes precedence over that of its type. Above READ COMMITTED the store's
-- row shows whether a binding or the incarnation is newer than this transaction's snapshot.
SELECT a.n, @{now}, s.incarnation, b.key, d.version, d.deed, @{incarnation-lock}
  FROM unnest(?::integer[], ?::text[], ?::text[], ?::text[], ?::boolean[])
       WITH ORDINALITY AS a (bucket, type, id, request_id, deletes, n)
 CROSS JOIN leasehold_store s
  LEFT JOIN LATERAL (
    SELECT x.key
      FROM leasehold_object_binding x
     WHERE x.type = a.type AND x.id IN (a.id, '')
     ORDER BY x.id DESC
     LIMIT 1) b ON true
  LEFT JOIN LATERAL (
    SELECT y.version, y.deed
      FROM leasehold_object_deed y
     WHERE y.bucket = a.bucket AND y.type = a.type AND y.id = a.id AND y.request_id = a.request_id
       AND (y.deed = 2) = a.deletes
     ORDER BY y.version DESC
     LIMIT 1) d ON true
