-- The ways past each guard that no guard can stop.
SELECT g.table_name, 'code that writes to leasehold_brought, or replaces rows (INSERT OR REPLACE), passes'
  FROM leasehold_guard g
 ORDER BY 1
