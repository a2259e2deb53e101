@{raise-floors-of table=leasehold_floor number=token}
