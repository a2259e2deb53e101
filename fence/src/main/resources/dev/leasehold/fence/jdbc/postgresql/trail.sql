SELECT key, what, brought, current, who, why, at
  FROM leasehold_mark_trail
 WHERE target OPERATOR(pg_catalog.=) ?
 ORDER BY id DESC
 LIMIT ?
