DELETE FROM leasehold_mark_trail
 WHERE target OPERATOR(pg_catalog.=) ?
   AND id OPERATOR(pg_catalog.<=)
       (SELECT id FROM leasehold_mark_trail
         WHERE target OPERATOR(pg_catalog.=) ? ORDER BY id DESC LIMIT 1 OFFSET ?)
