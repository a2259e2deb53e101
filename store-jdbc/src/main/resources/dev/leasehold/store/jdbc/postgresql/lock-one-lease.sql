-- Waits for the row. The clock is read after the lock.
WITH locked AS MATERIALIZED (
  SELECT @{lease-columns} FROM leasehold_lease l WHERE l.bucket = ? AND l.key = ? <lock>
)
SELECT l.*, @{now}, s.incarnation, s.held_off_until
  FROM locked l CROSS JOIN leasehold_store s
