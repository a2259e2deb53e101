SELECT p.instance_id, p.end_request, p.followed_at, p.reason, p.reason_by, p.reason_why,
       p.reason_token
  FROM leasehold_past_grant p
 WHERE p.bucket = ? AND p.key = ? AND p.token = ?
