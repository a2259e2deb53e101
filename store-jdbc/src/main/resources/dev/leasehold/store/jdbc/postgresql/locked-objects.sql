@{locked-rows table=leasehold_object outer=type type=text inner=id}
