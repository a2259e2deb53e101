-- Transactions are serializable, so the store's row must be unchanged at commit.
UPDATE leasehold_floor SET token = token WHERE bucket < 0
