-- The transaction has the write lock.
SELECT @{anchor-columns} FROM leasehold_anchor a WHERE a.number = ?
