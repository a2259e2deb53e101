-- None if there is no such table.
SELECT c.name, c.type
  FROM sqlite_master m
  JOIN pragma_table_info(m.name) c
 WHERE m.type = 'table' AND m.name = ?
