-- Changes no row, but takes the write lock, as every statement that could.
UPDATE leasehold_store SET id = id WHERE 0
