-- Deletions of objects whose tombstone was purged, or that were created again since.
DELETE FROM leasehold_object_deed
 WHERE (bucket, type, id, request_id) > (?, ?, ?, ?)
   AND (bucket, type, id, request_id) <= (?, ?, ?, ?)
   AND deed = 2 AND at <= ?
   AND NOT EXISTS (SELECT 1
                     FROM leasehold_object o
                    WHERE o.type = leasehold_object_deed.type AND o.id = leasehold_object_deed.id
                      AND o.version = leasehold_object_deed.version)
