UPDATE <table> AS f
   SET <number> = g.<number>
  FROM (SELECT j.value ->> 0 AS bucket, max(j.value ->> 1) AS <number>
          FROM json_each(?) j
         GROUP BY j.value ->> 0) g
 WHERE f.bucket = g.bucket AND f.<number> < g.<number>
