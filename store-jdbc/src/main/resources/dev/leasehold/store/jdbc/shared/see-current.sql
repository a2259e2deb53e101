-- Locks nothing, so that the answer may be untrue when it arrives.
SELECT l.last_token, l.grant_token, l.standing, s.store_id, s.incarnation, f.token, @{now}
  FROM leasehold_store s
  JOIN leasehold_floor f ON f.bucket = ?
  LEFT JOIN leasehold_lease l ON l.bucket = f.bucket AND l.key = ?
