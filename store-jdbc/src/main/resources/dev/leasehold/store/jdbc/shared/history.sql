SELECT p.token, p.instance_id, p.holder, p.purpose, p.region, p.granted_at, p.followed_at,
       p.reason, p.reason_by, p.reason_why, p.reason_token
  FROM leasehold_past_grant p
 WHERE p.bucket = ? AND p.key = ?
 ORDER BY p.token DESC
 LIMIT ?
