DELETE FROM leasehold_request
 WHERE (bucket, key, request_id) > (?, ?, ?) AND (bucket, key, request_id) <= (?, ?, ?) AND at < ?
