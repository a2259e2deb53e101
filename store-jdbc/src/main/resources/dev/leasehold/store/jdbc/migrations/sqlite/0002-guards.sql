-- Guarded tables: triggers on users' tables that refuse every change which brings no current token.

CREATE TABLE IF NOT EXISTS leasehold_guard (
  table_name   TEXT PRIMARY KEY,
  -- Either the column that holds the key of each row, or the one key of all rows.
  key_column   TEXT,
  fixed_key    TEXT,
  installed_at INTEGER NOT NULL,
  CHECK ((key_column IS NULL) <> (fixed_key IS NULL))
);

-- What the one transaction that writes has brought. It is written at its beginning and deleted
-- before its end, so that no other transaction ever sees a row here.
CREATE TABLE IF NOT EXISTS leasehold_brought (
  key   TEXT PRIMARY KEY,
  token INTEGER NOT NULL
) WITHOUT ROWID;
