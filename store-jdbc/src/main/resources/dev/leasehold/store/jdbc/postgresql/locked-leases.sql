-- Finds which of these rows another transaction has locked, without waiting. The others are locked
-- for the duration of this statement.
WITH asked AS MATERIALIZED (
  SELECT a.n, a.bucket, a.key
    FROM unnest(?::integer[], ?::text[]) WITH ORDINALITY AS a (bucket, key, n)
), free AS MATERIALIZED (
  SELECT a.n
    FROM asked a
    JOIN leasehold_lease l ON l.bucket = a.bucket AND l.key = a.key
     FOR UPDATE OF l SKIP LOCKED
)
SELECT l.key
  FROM asked a
  JOIN leasehold_lease l ON l.bucket = a.bucket AND l.key = a.key
 WHERE a.n NOT IN (SELECT f.n FROM free f)
