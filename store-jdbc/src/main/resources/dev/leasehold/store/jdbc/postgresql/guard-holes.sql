-- Named along the user's path, so everything here is written with its schema.
SELECT COALESCE(h.relation::pg_catalog.regclass::pg_catalog.text, h.table_name), h.hole
  FROM leasehold_guard_gaps() h
 ORDER BY 1, 2
