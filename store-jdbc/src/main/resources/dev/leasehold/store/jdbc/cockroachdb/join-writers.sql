-- What was read of the store's row must still be true at commit: transactions are serializable.
UPDATE leasehold_floor SET token = token WHERE bucket < 0
