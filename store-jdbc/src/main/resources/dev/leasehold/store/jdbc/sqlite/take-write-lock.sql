-- Changes nothing; what takes the lock is that it might.
UPDATE leasehold_store SET id = id WHERE 0
