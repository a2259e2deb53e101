SELECT 1 FROM leasehold_object o WHERE o.type = ? AND o.id > ? AND o.deed < 2 LIMIT 1
