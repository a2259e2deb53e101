-- What no guard can hold, for each that there is.
SELECT coalesce((SELECT min(c.oid::regclass::text) FROM pg_class c
                  WHERE leasehold_guard_of(c.oid) = g.id AND NOT c.relispartition), g.table_name),
       'superusers and the owner ' || coalesce((SELECT 'of the table, ' || min(pg_get_userbyid(c.relowner)) || ','
                                                  FROM pg_class c
                                                 WHERE leasehold_guard_of(c.oid) = g.id AND NOT c.relispartition), 'of the table')
         || ' can switch its triggers off, and a subscriber that replicates the table has to guard its copy itself'
  FROM leasehold_guard g
 ORDER BY 1
