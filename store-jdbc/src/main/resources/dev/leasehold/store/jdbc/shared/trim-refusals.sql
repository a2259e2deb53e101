DELETE FROM leasehold_refusal WHERE id IN (
  SELECT r.id FROM leasehold_refusal r WHERE r.suspected = ?
  ORDER BY r.at DESC, r.id DESC LIMIT 1000000 OFFSET ?)
