UPDATE leasehold_floor f
   SET token = g.token
  FROM (SELECT a.bucket, max(a.token) AS token
          FROM unnest(?::integer[], ?::bigint[]) AS a (bucket, token)
         GROUP BY a.bucket) g
 WHERE f.bucket = g.bucket AND f.token < g.token
