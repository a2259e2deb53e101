SELECT key, what, brought, current, who, why, at
  FROM leasehold_mark_trail
 WHERE target = ?
 ORDER BY id DESC
 LIMIT ?
