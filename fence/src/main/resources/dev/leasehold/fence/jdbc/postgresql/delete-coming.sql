DELETE FROM leasehold_mark_coming
 WHERE target OPERATOR(pg_catalog.=) ? AND key OPERATOR(pg_catalog.=) ?
