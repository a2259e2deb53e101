-- By what they are called now, where their triggers still stand.
SELECT coalesce((SELECT min(c.oid::regclass::text) FROM pg_class c
                  WHERE leasehold_guard_of(c.oid) = g.id AND NOT c.relispartition), g.table_name),
       g.key_column, g.fixed_key, g.maintenance_role
  FROM leasehold_guard g
 ORDER BY 1
