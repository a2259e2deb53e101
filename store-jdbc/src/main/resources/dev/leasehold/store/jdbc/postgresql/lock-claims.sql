-- Reads what checks of many tokens need, and locks the leases' rows until the transaction ends: a
-- command that ends a grant waits (FOR UPDATE), a renewal does not (FOR NO KEY UPDATE).
WITH asked AS MATERIALIZED (
  SELECT * FROM unnest(?::integer[], ?::text[]) WITH ORDINALITY AS a (bucket, key, n)
), locked AS MATERIALIZED (
  SELECT l.bucket, l.key, l.last_token, l.grant_token, l.standing, l.instance_id
    FROM leasehold_lease l
    JOIN asked a ON l.bucket = a.bucket AND l.key = a.key
   ORDER BY l.bucket, l.key
   @{effect-lock} OF l
)
SELECT @{current-columns}, a.n
  FROM asked a
 CROSS JOIN leasehold_store s
  JOIN leasehold_floor f ON f.bucket = a.bucket
  LEFT JOIN locked l ON l.bucket = a.bucket AND l.key = a.key
