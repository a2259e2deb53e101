SELECT key FROM leasehold_object_binding WHERE type = ? AND id = ?
