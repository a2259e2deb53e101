-- The limits of each guard. Runs on the user's path, as guards.
SELECT COALESCE(
         (SELECT pg_catalog.min(c.oid::pg_catalog.regclass::pg_catalog.text)
            FROM pg_catalog.pg_class c
           WHERE leasehold_guard_of(c.oid) OPERATOR(pg_catalog.=) g.id AND NOT c.relispartition),
         g.table_name),
       pg_catalog.concat(
         'superusers and the owner of the table',
         (SELECT pg_catalog.concat(
                   ', ', pg_catalog.min(pg_catalog.pg_get_userbyid(c.relowner)::pg_catalog.text), ',')
            FROM pg_catalog.pg_class c
           WHERE leasehold_guard_of(c.oid) OPERATOR(pg_catalog.=) g.id AND NOT c.relispartition
          HAVING pg_catalog.min(c.oid) IS NOT NULL),
         ' can switch its triggers off, and a subscriber that replicates the table has to guard its'
         ' copy itself')
  FROM leasehold_guard g
 ORDER BY 1
