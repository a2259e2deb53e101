UPDATE leasehold_object_floor AS f
   SET version = g.version
  FROM (SELECT j.value ->> 0 AS bucket, max(j.value ->> 1) AS version
          FROM json_each(?) j
         GROUP BY j.value ->> 0) g
 WHERE f.bucket = g.bucket AND f.version < g.version
