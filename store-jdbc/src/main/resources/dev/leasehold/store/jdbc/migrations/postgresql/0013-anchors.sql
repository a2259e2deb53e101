-- Under which session leased rows stand. Rows name the number, so that one write puts all of them
-- under another session.
CREATE TABLE IF NOT EXISTS leasehold_anchor (
  number        bigint PRIMARY KEY,
  bucket        integer NOT NULL,
  session_key   text COLLATE "C" NOT NULL,
  token         bigint NOT NULL,
  served        boolean NOT NULL,
  unheard_since bigint
);

CREATE INDEX IF NOT EXISTS leasehold_anchor_session ON leasehold_anchor (session_key, token);

-- The last number that was given, so that none is given twice.
CREATE TABLE IF NOT EXISTS leasehold_anchor_last (
  one    integer PRIMARY KEY CHECK (one = 1),
  number bigint NOT NULL
);

INSERT INTO leasehold_anchor_last (one, number) VALUES (1, 0) ON CONFLICT (one) DO NOTHING;
