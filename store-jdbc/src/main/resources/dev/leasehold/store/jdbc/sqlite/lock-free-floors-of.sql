-- Every floor is locked by the write lock.
SELECT j.value FROM json_each(?) j
