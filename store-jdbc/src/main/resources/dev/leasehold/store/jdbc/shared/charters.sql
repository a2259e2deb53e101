SELECT c.kind, c.charter, c.holder, c.first_at, c.last_at FROM leasehold_charter c
ORDER BY c.kind, c.last_at DESC, c.first_at DESC
