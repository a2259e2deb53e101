-- The guarded tables that still have their triggers, with their current names along the user's
-- path, so everything here is written with its schema.
SELECT COALESCE(
         (SELECT pg_catalog.min(t.tgrelid::pg_catalog.regclass::pg_catalog.text)
            FROM pg_catalog.pg_trigger t
           WHERE t.tgname OPERATOR(pg_catalog.=) 'leasehold_guard'::pg_catalog.name
             AND t.tgparentid OPERATOR(pg_catalog.=) 0::pg_catalog.oid
             AND leasehold_guard_of(t.tgrelid) OPERATOR(pg_catalog.=) g.id), g.table_name),
       g.key_column, g.fixed_key, g.maintenance_role
  FROM leasehold_guard g
 ORDER BY 1
