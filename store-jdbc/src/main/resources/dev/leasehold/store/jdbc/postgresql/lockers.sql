-- The holders of the lock of one row, which is given as "locked": the transaction in its xmax, or,
-- where several lock it together, the members of that group. Numbers of transactions and of groups
-- overlap, so a backend counts only if it has locked something in the row's table. A prepared
-- transaction has no backend any more.
lockers AS MATERIALIZED (
  SELECT k.locker AS xid FROM locked k
  UNION
  SELECT m.xid FROM locked k CROSS JOIN LATERAL leasehold_multixact_members(k.locker) AS m (xid)
), locks AS MATERIALIZED (
  SELECT t.pid, t.locktype, t.relation, t.transactionid, t.mode
    FROM pg_catalog.pg_locks t
   WHERE t.granted AND t.pid <> pg_backend_pid()
)
SELECT t.pid,
       greatest(coalesce(floor(extract(epoch FROM now() - a.xact_start) * 1000)::bigint, 0), 0),
       coalesce(host(a.client_addr), CASE WHEN a.xact_start IS NULL THEN 'hidden' ELSE 'local' END),
       coalesce(a.application_name, '')
  FROM locks t
  LEFT JOIN pg_catalog.pg_stat_activity a ON a.pid = t.pid
 WHERE t.locktype = 'transactionid' AND t.mode = 'ExclusiveLock'
   AND t.transactionid IN (SELECT x.xid FROM lockers x)
   AND EXISTS (SELECT 1 FROM locks r
                WHERE r.pid = t.pid AND r.locktype = 'relation'
                  AND r.relation = (SELECT k.relation FROM locked k))
UNION ALL
SELECT 0, greatest(floor(extract(epoch FROM now() - p.prepared) * 1000)::bigint, 0), 'prepared', p.gid
  FROM pg_catalog.pg_prepared_xacts p
 WHERE p.transaction IN (SELECT x.xid FROM lockers x) AND p.database = current_database()
 ORDER BY 2 DESC, 1
