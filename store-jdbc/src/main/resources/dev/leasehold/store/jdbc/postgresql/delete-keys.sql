DELETE FROM <table> l
 USING unnest(?::integer[], ?::text[]) AS a (bucket, key)
 WHERE l.bucket = a.bucket AND l.key = a.key
