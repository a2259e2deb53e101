-- Backends that have locked rows of leases in a transaction that has been open for this time, or
-- for a time that this role may not see. A plain reader takes a weaker lock on the table, and is
-- not listed. A prepared transaction has no backend any more.
WITH locked AS MATERIALIZED (
  SELECT DISTINCT t.pid, t.virtualtransaction
    FROM pg_catalog.pg_locks t
   WHERE t.granted AND t.pid IS DISTINCT FROM pg_backend_pid()
     AND t.locktype = 'relation' AND t.relation = 'leasehold_lease'::regclass
     AND t.database = (SELECT d.oid FROM pg_catalog.pg_database d
                        WHERE d.datname = current_database())
     AND t.mode <> 'AccessShareLock'
), holders AS (
  SELECT t.pid::bigint AS pid, a.xact_start AS since,
         coalesce(host(a.client_addr), CASE WHEN a.xact_start IS NULL THEN 'hidden' ELSE 'local' END)
           AS client,
         coalesce(a.application_name, '') AS application
    FROM locked t
    JOIN pg_catalog.pg_stat_activity a ON a.pid = t.pid
  UNION ALL
  SELECT 0::bigint, p.prepared, 'prepared', p.gid
    FROM locked t
    JOIN pg_catalog.pg_locks x
      ON x.virtualtransaction = t.virtualtransaction AND x.pid IS NULL
     AND x.locktype = 'transactionid'
    JOIN pg_catalog.pg_prepared_xacts p ON p.transaction = x.transactionid
   WHERE t.pid IS NULL
)
SELECT h.pid,
       coalesce(floor(extract(epoch FROM clock_timestamp() - h.since) * 1000)::bigint, 0),
       h.client, h.application
  FROM holders h
 WHERE coalesce(h.since <= clock_timestamp() - ? * interval '1 millisecond', true)
 ORDER BY 2 DESC, 1
