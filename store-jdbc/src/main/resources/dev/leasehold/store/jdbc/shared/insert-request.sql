INSERT INTO leasehold_request (bucket, key, request_id, verb, caller, token, at)
VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT DO NOTHING
