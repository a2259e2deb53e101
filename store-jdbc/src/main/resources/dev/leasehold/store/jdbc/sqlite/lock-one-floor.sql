SELECT f.token, @{now}, s.incarnation, s.held_off_until
  FROM leasehold_floor f CROSS JOIN leasehold_store s
 WHERE f.bucket = ?
