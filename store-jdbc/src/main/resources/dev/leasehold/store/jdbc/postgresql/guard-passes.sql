SELECT p.table_name, p.at, p.who, p.reason
  FROM leasehold_guard_pass p
 ORDER BY p.at DESC, p.table_name
 LIMIT 100
