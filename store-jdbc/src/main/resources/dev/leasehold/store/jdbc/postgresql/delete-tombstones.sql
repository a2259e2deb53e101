DELETE FROM leasehold_object o
 USING unnest(?::text[], ?::text[], ?::bigint[]) AS a (type, id, version)
 WHERE o.type = a.type AND o.id = a.id AND o.version = a.version AND o.deed = 2
