-- By what they are called now, where their triggers still stand.
SELECT coalesce((SELECT min(t.tgrelid::regclass::text)
                   FROM pg_trigger t
                   JOIN pg_proc p ON p.oid = t.tgfoid
                   JOIN pg_class own ON own.relnamespace = p.pronamespace
                  WHERE t.tgname = 'leasehold_guard' AND t.tgparentid = 0
                    AND p.proname = 'leasehold_guard_' || g.id
                    AND own.oid = 'leasehold_guard'::regclass), g.table_name),
       g.key_column, g.fixed_key, g.maintenance_role
  FROM leasehold_guard g
 ORDER BY 1
