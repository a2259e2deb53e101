-- Charters, seals and refusals, recorded for people. No decision depends on them.

-- Each charter that a process has published, with the first and the last time.
CREATE TABLE IF NOT EXISTS leasehold_charter (
  kind     text NOT NULL,
  -- SHA-256 of the text
  digest   text NOT NULL,
  charter  text NOT NULL,
  holder   text NOT NULL,
  first_at bigint NOT NULL,
  last_at  bigint NOT NULL,
  PRIMARY KEY (kind, digest)
);

-- The last seal of a kind's target, and the last failures that no seal has made up for: one for
-- each of the last hundred keys.
CREATE TABLE IF NOT EXISTS leasehold_seal (
  kind       text NOT NULL,
  target     text NOT NULL,
  -- Empty for the seal, the key for a failure.
  failed_key text NOT NULL,
  key        text NOT NULL,
  token      bigint NOT NULL,
  holder     text NOT NULL,
  why        text NOT NULL,
  at         bigint NOT NULL,
  PRIMARY KEY (kind, target, failed_key)
);

-- Claims that targets have refused: the last thousand, and apart from them the last thousand that
-- point to a rollback.
CREATE TABLE IF NOT EXISTS leasehold_refusal (
  id          text PRIMARY KEY,
  suspected   boolean NOT NULL,
  target      text NOT NULL,
  key         text NOT NULL,
  brought     bigint NOT NULL,
  -- stale or unissued
  answer      text NOT NULL,
  -- The mark that the token is below, or the highest token issued, if any was.
  bound_token bigint,
  who         text NOT NULL,
  at          bigint NOT NULL
);

CREATE INDEX IF NOT EXISTS leasehold_refusal_by_time ON leasehold_refusal (suspected, at);
