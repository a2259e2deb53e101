-- If the row already exists, the command is decided again.
INSERT INTO leasehold_lease (
  last_token, grant_token, instance_id, inherited, request_id, holder, purpose, region, attributes,
  ttl_ms, stall_ms, granted_at, renewed_at, expires_at, progress, progressed_at, standing,
  end_reason, end_by, end_why, ended_at, end_request, closed_reason, closed_until, barred_id,
  barred_reason, barred_until, written_at, bucket, key)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT DO NOTHING
