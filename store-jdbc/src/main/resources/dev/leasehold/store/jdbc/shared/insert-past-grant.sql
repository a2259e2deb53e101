-- (sqlite-jdbc queries generated keys after a statement that begins with INSERT; this line avoids
-- that.)
INSERT INTO leasehold_past_grant (
  bucket, key, token, instance_id, inherited, request_id, holder, purpose, region, granted_at,
  followed_at, reason, reason_by, reason_why, reason_token, end_request)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
