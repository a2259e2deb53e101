SELECT chore, bucket, name, part, request, number FROM leasehold_housekeeping
