@{locked-rows table=leasehold_lease outer=bucket type=integer inner=key}
