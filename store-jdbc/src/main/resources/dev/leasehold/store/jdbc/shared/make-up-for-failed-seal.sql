DELETE FROM leasehold_seal WHERE kind = ? AND target = ? AND failed AND key = ? AND token <= ?
