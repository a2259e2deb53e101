UPDATE leasehold_object_floor f
   SET version = g.version
  FROM (SELECT a.bucket, max(a.version) AS version
          FROM unnest(?::integer[], ?::bigint[]) AS a (bucket, version)
         GROUP BY a.bucket) g
 WHERE f.bucket = g.bucket AND f.version < g.version
