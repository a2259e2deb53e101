SELECT l.key
  FROM leasehold_lease l
 WHERE l.instance_id IN (SELECT value FROM json_each(?)) AND l.standing <> 2
 ORDER BY l.bucket, l.key
