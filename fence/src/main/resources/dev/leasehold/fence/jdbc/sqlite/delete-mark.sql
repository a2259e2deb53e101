DELETE FROM leasehold_mark WHERE target = ? AND key = ?
