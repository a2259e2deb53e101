-- Past grants of a page whose requests can no longer be repeated, beyond the last ones of each key.
-- The last key of the page may have more after it. The rows are deleted by their place, so that no
-- plan joins the whole table.
DELETE FROM leasehold_past_grant
 WHERE ctid = ANY (ARRAY(
   SELECT n.ctid
     FROM (SELECT p.ctid, p.followed_at,
                  row_number() OVER (PARTITION BY p.bucket, p.key ORDER BY p.token DESC)
                    + CASE WHEN p.bucket = ? AND p.key = ? THEN CAST(? AS integer) ELSE 0 END
                    AS place
             FROM leasehold_past_grant p
            WHERE (p.bucket, p.key, p.token) > (?, ?, ?)
              AND (p.bucket, p.key, p.token) <= (?, ?, ?)) n
    WHERE n.place > ? AND n.followed_at < ?))
