SELECT l.key
  FROM leasehold_lease l
  JOIN unnest(?::integer[], ?::text[]) AS asked (bucket, key)
    ON l.bucket = asked.bucket AND l.key = asked.key
