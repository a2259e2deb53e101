DELETE FROM leasehold_change WHERE at < ? AND seq < (SELECT max(c.seq) FROM leasehold_change c)
