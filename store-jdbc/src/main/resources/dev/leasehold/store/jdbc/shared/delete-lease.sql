DELETE FROM leasehold_lease WHERE bucket = ? AND key = ?
