CREATE TABLE leasehold_probe (probe INTEGER)
