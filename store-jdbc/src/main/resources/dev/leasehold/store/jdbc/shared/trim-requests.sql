DELETE FROM leasehold_request WHERE bucket >= ? AND bucket < ? AND at < ?
