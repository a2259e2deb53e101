-- For each witnessed grant: the last token of its key, and the instance that held the witnessed
-- token, if the store remembers it.
SELECT coalesce(l.last_token, f.token, 0),
       CASE WHEN l.grant_token = a.token THEN l.instance_id
            ELSE (SELECT p.instance_id FROM leasehold_past_grant p
                   WHERE p.bucket = a.bucket AND p.key = a.key AND p.token = a.token) END
  FROM unnest(?::integer[], ?::text[], ?::bigint[]) WITH ORDINALITY AS a (bucket, key, token, n)
  LEFT JOIN leasehold_floor f ON f.bucket = a.bucket
  LEFT JOIN leasehold_lease l ON l.bucket = a.bucket AND l.key = a.key
 ORDER BY a.n
