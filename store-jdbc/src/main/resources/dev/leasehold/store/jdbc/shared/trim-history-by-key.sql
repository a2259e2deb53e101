-- Past grants of a page whose requests can no longer be repeated, beyond the last ones of each key.
-- The last key of the page may have more after it.
DELETE FROM leasehold_past_grant
 WHERE (bucket, key, token) IN (
   SELECT n.bucket, n.key, n.token
     FROM (SELECT p.bucket, p.key, p.token, p.followed_at,
                  row_number() OVER (PARTITION BY p.bucket, p.key ORDER BY p.token DESC)
                    + CASE WHEN p.bucket = ? AND p.key = ? THEN CAST(? AS integer) ELSE 0 END
                    AS place
             FROM leasehold_past_grant p
            WHERE (p.bucket, p.key, p.token) > (?, ?, ?)
              AND (p.bucket, p.key, p.token) <= (?, ?, ?)) n
    WHERE n.place > ? AND n.followed_at < ?)
