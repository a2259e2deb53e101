INSERT OR IGNORE INTO leasehold_object_deed (bucket, type, id, request_id, version, deed, at)
VALUES (?, ?, ?, ?, ?, ?, ?)
