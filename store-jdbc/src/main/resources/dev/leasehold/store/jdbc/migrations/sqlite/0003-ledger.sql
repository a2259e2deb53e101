-- Charters, seals and refusals, recorded for people. No decision depends on them.

-- Each charter that a process has published, with the first and the last time.
CREATE TABLE IF NOT EXISTS leasehold_charter (
  kind     TEXT NOT NULL,
  -- SHA-256 of the text
  digest   TEXT NOT NULL,
  charter  TEXT NOT NULL,
  holder   TEXT NOT NULL,
  first_at INTEGER NOT NULL,
  last_at  INTEGER NOT NULL,
  PRIMARY KEY (kind, digest)
);

-- The last seal of a kind's target, and the last failures that no seal has made up for: one for
-- each of the last hundred keys.
CREATE TABLE IF NOT EXISTS leasehold_seal (
  kind       TEXT NOT NULL,
  target     TEXT NOT NULL,
  -- Empty for the seal, the key for a failure.
  failed_key TEXT NOT NULL,
  key        TEXT NOT NULL,
  token      INTEGER NOT NULL,
  holder     TEXT NOT NULL,
  why        TEXT NOT NULL,
  at         INTEGER NOT NULL,
  PRIMARY KEY (kind, target, failed_key)
);

-- Claims that targets have refused: the last thousand, and apart from them the last thousand that
-- point to a rollback.
CREATE TABLE IF NOT EXISTS leasehold_refusal (
  id          TEXT PRIMARY KEY,
  suspected   INTEGER NOT NULL,
  target      TEXT NOT NULL,
  key         TEXT NOT NULL,
  brought     INTEGER NOT NULL,
  -- stale or unissued
  answer      TEXT NOT NULL,
  -- The mark that the token is below, or the highest token issued, if any was.
  bound_token INTEGER,
  who         TEXT NOT NULL,
  at          INTEGER NOT NULL
);

CREATE INDEX IF NOT EXISTS leasehold_refusal_by_time ON leasehold_refusal (suspected, at);
