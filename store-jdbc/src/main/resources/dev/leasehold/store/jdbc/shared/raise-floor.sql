UPDATE leasehold_floor SET token = ? WHERE bucket = ? AND token < ?
