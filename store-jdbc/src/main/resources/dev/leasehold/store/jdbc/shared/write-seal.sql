-- A late report does not replace that of a later token of the same key.
INSERT INTO leasehold_seal (kind, target, failed_key, key, token, holder, why, at)
VALUES (?, ?, ?, ?, ?, ?, ?, @{now})
ON CONFLICT (kind, target, failed_key) DO UPDATE SET
  key = excluded.key, token = excluded.token, holder = excluded.holder, why = excluded.why,
  at = excluded.at
WHERE leasehold_seal.key <> excluded.key OR leasehold_seal.token <= excluded.token
