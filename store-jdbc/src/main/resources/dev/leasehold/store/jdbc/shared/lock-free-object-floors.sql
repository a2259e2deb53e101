@{lock-free-floors-of table=leasehold_object_floor}
