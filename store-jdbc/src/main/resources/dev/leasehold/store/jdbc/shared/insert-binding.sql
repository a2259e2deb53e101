INSERT INTO leasehold_object_binding (type, id, key, bound_by, bound_at) VALUES (?, ?, ?, ?, @{now})
