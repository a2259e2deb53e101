-- Reads the rows without a lock.
SELECT @{lease-columns}, @{now}, s.incarnation, s.held_off_until
  FROM unnest(?::integer[], ?::text[]) AS asked (bucket, key)
  JOIN leasehold_lease l ON l.bucket = asked.bucket AND l.key = asked.key
 CROSS JOIN leasehold_store s
