UPDATE leasehold_floor AS f
   SET token = g.token
  FROM (SELECT j.value ->> 0 AS bucket, max(j.value ->> 1) AS token
          FROM json_each(?) j
         GROUP BY j.value ->> 0) g
 WHERE f.bucket = g.bucket AND f.token < g.token
