-- The latest that any record was written, by the database's clock of then.
SELECT max(written_at) FROM leasehold_lease
