INSERT INTO leasehold_object (
  version, deed, request_id, created_at, updated_at, payload, type, id, bucket)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
