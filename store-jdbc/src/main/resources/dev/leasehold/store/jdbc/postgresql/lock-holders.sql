@{row-lock-holders table=leasehold_lease outer=bucket inner=key}
