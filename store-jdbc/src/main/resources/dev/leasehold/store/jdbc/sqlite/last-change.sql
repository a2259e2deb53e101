SELECT coalesce(max(c.seq), 0) FROM leasehold_change c
