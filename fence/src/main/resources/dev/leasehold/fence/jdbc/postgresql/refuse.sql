-- Fails, since the text is no number: so the server aborts the transaction, and no function of ours
-- need be in the target's database.
SELECT (?::pg_catalog.text)::bigint
