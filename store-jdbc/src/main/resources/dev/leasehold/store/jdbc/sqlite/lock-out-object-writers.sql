-- The transaction has the write lock, and this changes nothing.
UPDATE leasehold_store SET id = id WHERE 0
