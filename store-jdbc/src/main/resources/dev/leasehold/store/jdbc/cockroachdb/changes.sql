SELECT c.id::text, c.at, c.changes FROM leasehold_change c WHERE c.at > ? ORDER BY c.at
