SELECT g.table_name, 'a trigger of its guard is gone: install it again'
  FROM leasehold_guard g
 WHERE (SELECT count(*) FROM sqlite_master m
         WHERE m.type = 'trigger' AND m.tbl_name = g.table_name
           AND m.name IN ('leasehold_guard_insert_' || g.table_name,
                          'leasehold_guard_update_' || g.table_name,
                          'leasehold_guard_delete_' || g.table_name)) < 3
 ORDER BY 1
