-- Locks the rows that no other transaction has locked, in the order of (bucket, key). The clock is
-- read after each lock.
WITH locked AS MATERIALIZED (
  SELECT @{lease-columns}
    FROM leasehold_lease l
    JOIN unnest(?::integer[], ?::text[]) AS asked (bucket, key)
      ON l.bucket = asked.bucket AND l.key = asked.key
   ORDER BY l.bucket, l.key
   <lock>
)
SELECT l.*, @{now}, s.incarnation, s.held_off_until
  FROM locked l CROSS JOIN leasehold_store s
