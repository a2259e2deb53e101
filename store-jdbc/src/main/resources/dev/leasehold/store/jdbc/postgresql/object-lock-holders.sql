-- Which backends have an object's row locked, read without waiting.
WITH locked AS MATERIALIZED (
  SELECT l.xmax AS locker, l.tableoid AS relation FROM leasehold_object l WHERE l.type = ? AND l.id = ?
), @{lockers}
