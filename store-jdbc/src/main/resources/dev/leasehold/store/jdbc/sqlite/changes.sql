SELECT c.seq, c.changes FROM leasehold_change c WHERE c.seq > ? ORDER BY c.seq LIMIT ?
