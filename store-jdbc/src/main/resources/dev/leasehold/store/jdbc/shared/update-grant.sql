-- Writes the times and the end of a grant, and leaves the rest of the row.
UPDATE leasehold_lease
   SET ttl_ms = ?, renewed_at = ?, expires_at = ?, progress = ?, progressed_at = ?, standing = ?,
       end_reason = ?, end_by = ?, end_why = ?, ended_at = ?, end_request = ?, written_at = ?
 WHERE bucket = ? AND key = ?
