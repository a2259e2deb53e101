-- The last row of a page of this size. There is none if the buckets up to the end have fewer rows.
SELECT <place>
  FROM <table> r
 WHERE (<key>) > (<after>) AND r.bucket < ?
 ORDER BY <key>
 LIMIT 1 OFFSET ?
