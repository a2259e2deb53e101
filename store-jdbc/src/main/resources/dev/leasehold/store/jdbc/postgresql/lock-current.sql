-- One row if the grant is current, and then it stays so until the transaction ends: whatever ends a
-- grant waits (FOR UPDATE), a renewal does not (FOR NO KEY UPDATE). No row: check-current says why.
SELECT s.store_id, @{era-lock}
  FROM leasehold_lease l
 CROSS JOIN leasehold_store s
 WHERE l.bucket = ? AND l.key = ? AND l.last_token = ? AND @{acts}
 @{effect-lock} OF l
