DELETE FROM leasehold_object_deed
 WHERE (bucket, type, id, request_id) > (?, ?, ?, ?)
   AND (bucket, type, id, request_id) <= (?, ?, ?, ?)
   AND deed < 2 AND at < ?
