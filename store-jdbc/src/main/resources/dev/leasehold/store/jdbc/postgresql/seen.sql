JOIN leasehold_lease seen ON seen.bucket = a.bucket AND seen.key = a.key
