DELETE FROM leasehold_seal WHERE kind = ? AND target = ? AND failed_key = ? AND token <= ?
