DELETE FROM leasehold_charter
WHERE kind = ? AND digest NOT IN (
  SELECT c.digest FROM leasehold_charter c WHERE c.kind = ?
  ORDER BY c.last_at DESC, c.first_at DESC LIMIT ?)
