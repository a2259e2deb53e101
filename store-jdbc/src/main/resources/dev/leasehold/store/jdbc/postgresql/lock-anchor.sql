SELECT @{anchor-columns} FROM leasehold_anchor a WHERE a.number = ? FOR UPDATE
