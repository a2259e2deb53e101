-- Every command reads this row, and a serializable transaction that has read a changed row runs
-- again.
UPDATE leasehold_store SET incarnation = incarnation
