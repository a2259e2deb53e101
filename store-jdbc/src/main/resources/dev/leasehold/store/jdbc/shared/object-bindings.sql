SELECT b.type, b.id, b.key, b.bound_by, b.bound_at
  FROM leasehold_object_binding b
 WHERE b.type = ? AND (? = '' OR b.id > ?)
 ORDER BY b.id
 LIMIT ?
