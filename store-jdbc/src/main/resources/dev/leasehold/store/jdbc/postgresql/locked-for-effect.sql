-- Until the transaction ends: whatever ends a grant waits (FOR UPDATE), a renewal does not (FOR NO
-- KEY UPDATE).
SELECT l.last_token, l.grant_token, l.standing, l.instance_id
  FROM leasehold_lease l
 WHERE l.bucket = ? AND l.key = ?
 @{effect-lock}
