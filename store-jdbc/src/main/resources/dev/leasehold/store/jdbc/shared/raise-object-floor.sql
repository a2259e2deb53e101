UPDATE leasehold_object_floor SET version = ? WHERE bucket = ? AND version < ?
