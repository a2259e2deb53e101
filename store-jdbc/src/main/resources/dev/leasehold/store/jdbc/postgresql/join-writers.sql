-- An advance of the incarnation waits until this transaction has ended.
LOCK TABLE leasehold_lease IN ROW EXCLUSIVE MODE
