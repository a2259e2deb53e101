INSERT INTO leasehold_charter (kind, digest, charter, holder, first_at, last_at)
VALUES (?, ?, ?, ?, @{now}, @{now})
ON CONFLICT (kind, digest) DO UPDATE SET holder = excluded.holder, last_at = excluded.last_at
