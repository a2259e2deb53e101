@{lock-free-floors-of table=leasehold_floor}
