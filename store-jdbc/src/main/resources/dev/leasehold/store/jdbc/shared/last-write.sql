-- The time of the latest write of any record, by the database's clock at that time.
SELECT max(written_at) FROM leasehold_lease
