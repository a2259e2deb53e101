-- Columns of other tables that look like a fencing token, without a guard on the table.
SELECT m.name, c.name
FROM sqlite_master m JOIN pragma_table_info(m.name) c
WHERE m.type = 'table'
  AND (lower(c.name) LIKE '%fenc%token%' OR lower(c.name) IN ('lease_token', 'leasehold_token'))
  AND m.name NOT LIKE 'leasehold!_%' ESCAPE '!'
  AND NOT EXISTS (
    SELECT 1 FROM sqlite_master t
    WHERE t.type = 'trigger' AND t.tbl_name = m.name
      AND t.name LIKE 'leasehold!_guard%' ESCAPE '!')
ORDER BY 1, 2
