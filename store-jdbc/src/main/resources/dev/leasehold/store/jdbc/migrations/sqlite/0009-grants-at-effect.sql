-- A grant is a token and an instance: whose token a transaction has brought, where it said so.
ALTER TABLE leasehold_brought ADD COLUMN instance_id TEXT;
