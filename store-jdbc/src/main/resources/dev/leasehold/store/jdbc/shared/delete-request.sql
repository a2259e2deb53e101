DELETE FROM leasehold_request WHERE bucket = ? AND key = ?
