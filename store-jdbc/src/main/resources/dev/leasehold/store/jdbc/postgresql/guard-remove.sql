SELECT leasehold_guard_remove(?)
