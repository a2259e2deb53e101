-- Until the transaction ends: whatever ends a grant waits (FOR UPDATE), a renewal does not (FOR NO
-- KEY UPDATE). On the user's path, as begin-effect.
SELECT l.last_token, l.grant_token, l.standing, l.instance_id
  FROM leasehold_lease l
 WHERE l.bucket OPERATOR(pg_catalog.=) ?::integer
   AND l.key OPERATOR(pg_catalog.=) ?::pg_catalog.text
 @{effect-lock}
