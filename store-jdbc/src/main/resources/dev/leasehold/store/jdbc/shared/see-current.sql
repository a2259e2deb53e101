-- Locks nothing, so the answer may be outdated when it arrives.
SELECT @{current-columns}
  FROM leasehold_store s
  JOIN leasehold_floor f ON f.bucket = ?
  LEFT JOIN leasehold_lease l ON l.bucket = f.bucket AND l.key = ?
