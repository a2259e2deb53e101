SELECT a.n, o.type, o.id, o.version, o.created_at, o.updated_at, o.payload
  FROM unnest(?::text[], ?::text[]) WITH ORDINALITY AS a (type, id, n)
  JOIN leasehold_object o ON o.type = a.type AND o.id = a.id
 WHERE o.deed < 2
