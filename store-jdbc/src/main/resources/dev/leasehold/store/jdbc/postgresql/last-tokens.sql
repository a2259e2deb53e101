SELECT coalesce(l.last_token, f.token)
  FROM unnest(?::integer[], ?::text[]) WITH ORDINALITY AS a (bucket, key, n)
  JOIN leasehold_floor f ON f.bucket = a.bucket
  LEFT JOIN leasehold_lease l ON l.bucket = a.bucket AND l.key = a.key
 ORDER BY a.n
