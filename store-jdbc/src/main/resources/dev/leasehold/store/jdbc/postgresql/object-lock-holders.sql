@{row-lock-holders table=leasehold_object outer=type inner=id}
