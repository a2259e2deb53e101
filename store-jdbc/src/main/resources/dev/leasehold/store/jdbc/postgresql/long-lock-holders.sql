-- Which backends have locked rows of leases in a transaction that has been open for so long. A plain
-- reader takes a weaker lock on the table, and is not meant.
SELECT t.pid,
       floor(extract(epoch FROM clock_timestamp() - a.xact_start) * 1000)::bigint,
       coalesce(host(a.client_addr), 'local'),
       coalesce(a.application_name, '')
  FROM pg_catalog.pg_locks t
  JOIN pg_catalog.pg_stat_activity a ON a.pid = t.pid
 WHERE t.granted AND t.pid <> pg_backend_pid()
   AND t.locktype = 'relation' AND t.relation = 'leasehold_lease'::regclass
   AND t.database = (SELECT d.oid FROM pg_catalog.pg_database d
                      WHERE d.datname = current_database())
   AND t.mode <> 'AccessShareLock'
   AND a.xact_start <= clock_timestamp() - ? * interval '1 millisecond'
 GROUP BY 1, 2, 3, 4
 ORDER BY 2 DESC, 1
