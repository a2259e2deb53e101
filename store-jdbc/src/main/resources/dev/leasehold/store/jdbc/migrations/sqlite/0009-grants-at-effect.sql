-- A grant is a token and an instance: whose token a transaction has brought, where it said so.
-- The table is made anew, since SQLite cannot add a column only where it is missing, and every step
-- can be repeated. No committed row is lost: a transaction deletes its rows before its end.
DROP TABLE IF EXISTS leasehold_brought;
CREATE TABLE leasehold_brought (
  key         TEXT PRIMARY KEY,
  token       INTEGER NOT NULL,
  instance_id TEXT
) WITHOUT ROWID;
