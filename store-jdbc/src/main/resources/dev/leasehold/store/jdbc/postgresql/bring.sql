SELECT leasehold_bring(?, ?)
