UPDATE leasehold_object
   SET version = ?, deed = ?, request_id = ?, created_at = ?, updated_at = ?, payload = ?
 WHERE type = ? AND id = ? AND bucket = ?
