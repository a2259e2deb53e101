DELETE FROM leasehold_mark WHERE
       target OPERATOR(pg_catalog.=) ? AND key OPERATOR(pg_catalog.=) ?
