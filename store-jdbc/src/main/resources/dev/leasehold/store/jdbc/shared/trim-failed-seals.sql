DELETE FROM leasehold_seal WHERE kind = ? AND target = ? AND failed_key IN (
  SELECT f.failed_key FROM leasehold_seal f WHERE f.kind = ? AND f.target = ? AND f.failed_key <> ''
  ORDER BY f.at DESC, f.failed_key DESC LIMIT 1000000 OFFSET ?)
