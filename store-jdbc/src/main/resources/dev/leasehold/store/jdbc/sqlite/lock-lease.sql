-- The transaction is immediate: it has the write lock already.
SELECT @{lease-columns}, @{now}, s.incarnation, s.held_off_until
  FROM leasehold_lease l CROSS JOIN leasehold_store s
 WHERE l.bucket = ? AND l.key = ?
