DELETE FROM leasehold_object_deed WHERE bucket >= ? AND bucket < ? AND deed < 2 AND at < ?
