INSERT INTO leasehold_seal (kind, target, failed, key, token, holder, why, at)
VALUES (?, ?, ?, ?, ?, ?, ?, @{now})
ON CONFLICT (kind, target, failed) DO UPDATE SET
  key = excluded.key, token = excluded.token, holder = excluded.holder, why = excluded.why,
  at = excluded.at
