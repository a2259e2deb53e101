-- Waits for transactions that have read the mark and have not ended yet.
INSERT INTO leasehold_mark (target, key, token, above, raised_at)
VALUES (?, ?, ?, ?, @{now})
ON CONFLICT (target, key) DO UPDATE
   SET token = excluded.token, above = excluded.above, raised_at = excluded.raised_at
 WHERE leasehold_mark.token < excluded.token
