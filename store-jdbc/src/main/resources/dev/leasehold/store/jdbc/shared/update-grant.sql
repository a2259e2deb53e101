-- A grant that goes on, lapses or ends, while the rest of its row stays.
UPDATE leasehold_lease
   SET ttl_ms = ?, renewed_at = ?, expires_at = ?, progress = ?, progressed_at = ?, standing = ?,
       end_reason = ?, end_by = ?, end_why = ?, ended_at = ?, end_request = ?, written_at = ?
 WHERE bucket = ? AND key = ?
