-- Fails, since the text is no number, and so the server aborts the transaction. This needs no
-- function of Leasehold in the target's database.
SELECT (?::pg_catalog.text)::bigint
