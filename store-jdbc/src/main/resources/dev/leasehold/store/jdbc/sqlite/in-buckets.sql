IN (SELECT j.value FROM json_each(?) j)
