-- Never waits for a change in progress: no change locks this row.
INSERT INTO leasehold_mark_coming (target, key, token)
VALUES (?, ?, ?)
ON CONFLICT (target, key) DO UPDATE
   SET token = excluded.token
 WHERE leasehold_mark_coming.token < excluded.token
