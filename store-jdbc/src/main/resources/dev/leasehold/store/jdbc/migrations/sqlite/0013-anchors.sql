-- Under which session leased rows stand. Rows name the number, so that one write puts all of them
-- under another session.
CREATE TABLE IF NOT EXISTS leasehold_anchor (
  number        INTEGER PRIMARY KEY,
  bucket        INTEGER NOT NULL,
  session_key   TEXT NOT NULL,
  token         INTEGER NOT NULL,
  served        INTEGER NOT NULL,
  unheard_since INTEGER
);

CREATE INDEX IF NOT EXISTS leasehold_anchor_session ON leasehold_anchor (session_key, token);

-- The last number that was given, so that none is given twice.
CREATE TABLE IF NOT EXISTS leasehold_anchor_last (
  one    INTEGER PRIMARY KEY CHECK (one = 1),
  number INTEGER NOT NULL
);

INSERT INTO leasehold_anchor_last (one, number) VALUES (1, 0) ON CONFLICT (one) DO NOTHING;
