-- The transaction has the write lock.
WITH locked AS MATERIALIZED (
  SELECT l.last_token, l.grant_token, l.standing, l.instance_id
    FROM leasehold_lease l
   WHERE l.bucket = ? AND l.key = ?
)
SELECT @{current-columns}
  FROM leasehold_store s
  JOIN leasehold_floor f ON f.bucket = ?
  LEFT JOIN locked l ON true
