UPDATE <table> f
   SET <number> = g.<number>
  FROM (SELECT a.bucket, max(a.<number>) AS <number>
          FROM unnest(?::integer[], ?::bigint[]) AS a (bucket, <number>)
         GROUP BY a.bucket) g
 WHERE f.bucket = g.bucket AND f.<number> < g.<number>
