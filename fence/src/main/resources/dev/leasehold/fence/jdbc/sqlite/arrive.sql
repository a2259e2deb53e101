DELETE FROM leasehold_mark_coming WHERE target = ? AND key = ? AND token <= ?
