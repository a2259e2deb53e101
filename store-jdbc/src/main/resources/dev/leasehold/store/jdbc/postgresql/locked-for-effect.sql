-- Locked until the transaction ends: a command that ends the grant waits (FOR UPDATE), a renewal
-- does not (FOR NO KEY UPDATE). Runs on the user's path, as begin-effect.
SELECT l.last_token, l.grant_token, l.standing, l.instance_id
  FROM leasehold_lease l
 WHERE l.bucket OPERATOR(pg_catalog.=) ?::integer
   AND l.key OPERATOR(pg_catalog.=) ?::pg_catalog.text
 @{effect-lock}
