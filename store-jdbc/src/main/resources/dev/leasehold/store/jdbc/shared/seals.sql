SELECT s.key, s.token, s.holder, s.target, s.failed_key <> '', s.why, s.at FROM leasehold_seal s
ORDER BY s.kind, s.target, s.failed_key
