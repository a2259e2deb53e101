-- Which backends have this row locked, read without waiting.
WITH locked AS MATERIALIZED (
  SELECT l.xmax AS locker, l.tableoid AS relation
    FROM <table> l
   WHERE l.<outer> = ? AND l.<inner> = ?
), @{lockers}
