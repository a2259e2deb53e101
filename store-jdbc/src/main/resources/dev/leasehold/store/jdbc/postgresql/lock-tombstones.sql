-- Locked ones are left for another time: nobody waits here with a floor locked.
SELECT o.bucket, o.type, o.id, o.version
  FROM leasehold_object o
  JOIN unnest(?::text[], ?::text[], ?::bigint[]) AS a (type, id, version)
    ON o.type = a.type AND o.id = a.id AND o.version = a.version
 WHERE o.deed = 2
 ORDER BY o.type, o.id
   FOR UPDATE OF o SKIP LOCKED
