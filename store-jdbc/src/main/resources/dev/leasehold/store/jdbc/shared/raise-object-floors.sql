@{raise-floors-of table=leasehold_object_floor number=version}
