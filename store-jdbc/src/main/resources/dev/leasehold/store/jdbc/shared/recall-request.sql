-- All results of a request, except those in the lease's own row.
SELECT 'ACQUIRE', p.instance_id, p.token, p.granted_at
  FROM leasehold_past_grant p
 WHERE p.request_id = ? AND p.bucket = ? AND p.key = ? AND NOT p.inherited
UNION ALL
SELECT r.verb, r.caller, r.token, r.at
  FROM leasehold_request r
 WHERE r.request_id = ? AND r.bucket = ? AND r.key = ?
