target OPERATOR(pg_catalog.=) ? AND key OPERATOR(pg_catalog.=) ?
   AND token OPERATOR(pg_catalog.=) ? AND NOT above
   AND COALESCE((SELECT c.token FROM leasehold_mark_coming c
                  WHERE c.target OPERATOR(pg_catalog.=) leasehold_mark.target
                    AND c.key OPERATOR(pg_catalog.=) leasehold_mark.key), 0)
       OPERATOR(pg_catalog.<=) leasehold_mark.token
