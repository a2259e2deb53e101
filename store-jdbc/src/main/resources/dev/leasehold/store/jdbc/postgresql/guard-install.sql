SELECT leasehold_guard_install(?, ?, ?, ?)
