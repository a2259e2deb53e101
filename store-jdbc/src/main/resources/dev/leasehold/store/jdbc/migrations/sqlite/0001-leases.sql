-- Leases, what is remembered of them, and the store's own row. Times are milliseconds since 1970
-- by the database's clock; tokens are 53-bit integers, the incarnation in front.

CREATE TABLE IF NOT EXISTS leasehold_store (
  id             INTEGER PRIMARY KEY CHECK (id = 1),
  store_id       TEXT     NOT NULL,
  incarnation    INTEGER  NOT NULL,
  held_off_until INTEGER   NOT NULL,
  system_id      TEXT     NOT NULL,
  timeline       INTEGER   NOT NULL
);

-- The floor of each bucket: a token above those of all purged keys.
CREATE TABLE IF NOT EXISTS leasehold_floor (
  bucket INTEGER PRIMARY KEY,
  token  INTEGER  NOT NULL
);

-- One row for each key.
CREATE TABLE IF NOT EXISTS leasehold_lease (
  bucket         INTEGER NOT NULL,
  key            TEXT NOT NULL,
  last_token     INTEGER  NOT NULL,
  grant_token    INTEGER,
  instance_id    TEXT,
  inherited      INTEGER,
  request_id     TEXT,
  holder         TEXT,
  purpose        TEXT,
  region         TEXT,
  attributes     TEXT,
  ttl_ms         INTEGER,
  stall_ms       INTEGER,
  granted_at     INTEGER,
  renewed_at     INTEGER,
  expires_at     INTEGER,
  progress       INTEGER,
  progressed_at  INTEGER,
  -- 0 open, 1 lapsed, 2 ended
  standing       INTEGER,
  end_reason     TEXT,
  end_by         TEXT,
  end_why        TEXT,
  ended_at       INTEGER,
  end_request    TEXT,
  -- Closed if there is a reason; without a time, until an operator reopens it.
  closed_reason  TEXT,
  closed_until   INTEGER,
  barred_id      TEXT,
  barred_reason  TEXT,
  barred_until   INTEGER,
  written_at     INTEGER NOT NULL,
  PRIMARY KEY (bucket, key)
) WITHOUT ROWID;

-- For listing in pages.
CREATE INDEX IF NOT EXISTS leasehold_lease_by_key ON leasehold_lease (key);

-- Grants that another has followed: history for people, why each ended, and the requests that began
-- and ended them.
CREATE TABLE IF NOT EXISTS leasehold_past_grant (
  bucket       INTEGER NOT NULL,
  key          TEXT NOT NULL,
  token        INTEGER  NOT NULL,
  instance_id  TEXT    NOT NULL,
  inherited    INTEGER NOT NULL,
  request_id   TEXT NOT NULL,
  holder       TEXT    NOT NULL,
  purpose      TEXT    NOT NULL,
  region       TEXT    NOT NULL,
  granted_at   INTEGER  NOT NULL,
  followed_at  INTEGER  NOT NULL,
  reason       TEXT    NOT NULL,
  reason_by    TEXT,
  reason_why   TEXT,
  reason_token INTEGER,
  end_request  TEXT,
  PRIMARY KEY (bucket, key, token)
) WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS leasehold_past_grant_by_request ON leasehold_past_grant (request_id);

-- Rarer requests that changed something: abandoned, handed over, revoked, reopened.
CREATE TABLE IF NOT EXISTS leasehold_request (
  bucket     INTEGER NOT NULL,
  key        TEXT NOT NULL,
  request_id TEXT NOT NULL,
  verb       TEXT NOT NULL,
  caller     TEXT NOT NULL,
  token      INTEGER NOT NULL,
  at         INTEGER NOT NULL,
  PRIMARY KEY (bucket, key, request_id, verb, caller)
) WITHOUT ROWID;

-- What has happened, in order, as lines of text: how other processes learn of it. Bounded; the last
-- row is kept, so that numbers go on from it.
CREATE TABLE IF NOT EXISTS leasehold_change (
  seq     INTEGER PRIMARY KEY,
  at      INTEGER NOT NULL,
  changes TEXT NOT NULL
);

-- A row that is deleted by hand leaves its token below the floor, as a purged one does. Otherwise
-- the key's next holder could get the token of a holder that is still at work.
CREATE TRIGGER IF NOT EXISTS leasehold_keep_floor AFTER DELETE ON leasehold_lease
BEGIN
  UPDATE leasehold_floor SET token = OLD.last_token
   WHERE bucket = OLD.bucket AND token < OLD.last_token; END;
