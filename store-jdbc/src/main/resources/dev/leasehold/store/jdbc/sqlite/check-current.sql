-- The transaction has the write lock.
WITH locked AS MATERIALIZED (
  SELECT l.last_token, l.grant_token, l.standing
    FROM leasehold_lease l
   WHERE l.bucket = ? AND l.key = ?
)
SELECT l.last_token, l.grant_token, l.standing, s.store_id, s.incarnation, f.token, @{now}
  FROM leasehold_store s
  JOIN leasehold_floor f ON f.bucket = ?
  LEFT JOIN locked l ON true
