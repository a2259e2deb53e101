-- Changes nothing, but no transaction can begin to write without the lock.
UPDATE leasehold_store SET id = id WHERE false
