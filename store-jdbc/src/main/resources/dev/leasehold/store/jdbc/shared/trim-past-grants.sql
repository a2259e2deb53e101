-- Of each key in these buckets: what nobody may ask for again, beyond the last ones.
DELETE FROM leasehold_past_grant
 WHERE (bucket, key, token) IN (
   SELECT n.bucket, n.key, n.token
     FROM (SELECT p.bucket, p.key, p.token, p.followed_at,
                  row_number() OVER (PARTITION BY p.bucket, p.key ORDER BY p.token DESC) AS place
             FROM leasehold_past_grant p
            WHERE p.bucket >= ? AND p.bucket < ?) n
    WHERE n.place > ? AND n.followed_at < ?
    LIMIT ?)
