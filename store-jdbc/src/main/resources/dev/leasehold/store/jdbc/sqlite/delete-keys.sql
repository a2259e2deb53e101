DELETE FROM <table>
 WHERE (bucket, key) IN (SELECT j.value ->> 0, j.value ->> 1 FROM json_each(?) j)
