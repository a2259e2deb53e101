-- Which backends have a lease's row locked, read without waiting.
WITH locked AS MATERIALIZED (
  SELECT l.xmax AS locker, l.tableoid AS relation FROM leasehold_lease l WHERE l.bucket = ? AND l.key = ?
), @{lockers}
