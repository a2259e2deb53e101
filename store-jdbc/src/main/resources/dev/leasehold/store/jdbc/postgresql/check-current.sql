-- Locks the row until the transaction ends: whatever ends a grant waits (FOR UPDATE), a renewal does
-- not (FOR NO KEY UPDATE).
WITH locked AS MATERIALIZED (
  SELECT l.last_token, l.grant_token, l.standing
    FROM leasehold_lease l
   WHERE l.bucket = ? AND l.key = ?
   @{effect-lock}
)
SELECT l.last_token, l.grant_token, l.standing, s.store_id, s.incarnation, f.token, @{now},
       @{era-lock}
  FROM leasehold_store s
  JOIN leasehold_floor f ON f.bucket = ?
  LEFT JOIN locked l ON true
