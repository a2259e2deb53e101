DELETE FROM leasehold_past_grant WHERE bucket = ? AND key = ?
