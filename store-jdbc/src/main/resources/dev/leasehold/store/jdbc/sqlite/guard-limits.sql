-- What no guard can hold, for each that there is.
SELECT g.table_name, 'whoever writes to leasehold_brought, or replaces rows (INSERT OR REPLACE), passes'
  FROM leasehold_guard g
 ORDER BY 1
