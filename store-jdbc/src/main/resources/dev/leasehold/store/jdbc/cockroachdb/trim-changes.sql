DELETE FROM leasehold_change
 WHERE id IN (SELECT c.id FROM leasehold_change c WHERE c.at < ? ORDER BY c.at LIMIT 1000)
