SELECT @{lease-columns}, @{now}, s.incarnation, s.held_off_until
  FROM leasehold_lease l CROSS JOIN leasehold_store s
 WHERE l.key > ? AND l.key >= ? AND l.key < ?
 ORDER BY l.key
 LIMIT ?
