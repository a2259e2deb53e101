INSERT INTO leasehold_floor (bucket, token)
WITH RECURSIVE buckets (bucket) AS (
  SELECT 0 UNION ALL SELECT bucket + 1 FROM buckets WHERE bucket < ?
)
SELECT bucket, CAST(? AS bigint) FROM buckets WHERE bucket >= 0
ON CONFLICT DO NOTHING
