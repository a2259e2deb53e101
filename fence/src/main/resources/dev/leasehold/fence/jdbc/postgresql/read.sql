SELECT (SELECT token FROM leasehold_mark
         WHERE target OPERATOR(pg_catalog.=) ? AND key OPERATOR(pg_catalog.=) ?),
       (SELECT above FROM leasehold_mark
         WHERE target OPERATOR(pg_catalog.=) ? AND key OPERATOR(pg_catalog.=) ?),
       (SELECT token FROM leasehold_mark_coming
         WHERE target OPERATOR(pg_catalog.=) ? AND key OPERATOR(pg_catalog.=) ?)
