-- Every write reads this row, and serializable transactions that read what changes run again.
UPDATE leasehold_store SET incarnation = incarnation
