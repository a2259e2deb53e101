-- Locks rows in the order of (type, id), so that transactions cannot deadlock; an object without a
-- row is missing.
SELECT o.type, o.id, o.version, o.deed, o.request_id, o.created_at, o.updated_at
  FROM leasehold_object o
  JOIN unnest(?::text[], ?::text[]) AS a (type, id) ON o.type = a.type AND o.id = a.id
 ORDER BY o.type, o.id
   FOR UPDATE OF o
