-- Leases, what is remembered of them, and the store's own row. Times are milliseconds since 1970
-- by the database's clock; tokens are 53-bit integers, the incarnation in front.

CREATE TABLE IF NOT EXISTS leasehold_store (
  id             smallint PRIMARY KEY CHECK (id = 1),
  store_id       text     NOT NULL,
  incarnation    integer  NOT NULL,
  held_off_until bigint   NOT NULL,
  system_id      text     NOT NULL,
  timeline       bigint   NOT NULL
);

-- The floor of each bucket: a token above those of all purged keys.
CREATE TABLE IF NOT EXISTS leasehold_floor (
  bucket integer PRIMARY KEY,
  token  bigint  NOT NULL
);

-- One row for each key.
CREATE TABLE IF NOT EXISTS leasehold_lease (
  bucket         integer NOT NULL,
  key            text NOT NULL,
  last_token     bigint  NOT NULL,
  grant_token    bigint,
  instance_id    text,
  inherited      boolean,
  request_id     text,
  holder         text,
  purpose        text,
  region         text,
  attributes     text,
  ttl_ms         bigint,
  stall_ms       bigint,
  granted_at     bigint,
  renewed_at     bigint,
  expires_at     bigint,
  progress       bigint,
  progressed_at  bigint,
  -- 0 open, 1 lapsed, 2 ended
  standing       smallint,
  end_reason     text,
  end_by         text,
  end_why        text,
  ended_at       bigint,
  end_request    text,
  -- Closed if there is a reason; without a time, until an operator reopens it.
  closed_reason  text,
  closed_until   bigint,
  barred_id      text,
  barred_reason  text,
  barred_until   bigint,
  written_at     bigint NOT NULL,
  PRIMARY KEY (bucket, key),
  -- Renewals write the second family alone, and so leave at-effect checks of the first in peace.
  FAMILY identity (bucket, key, last_token, grant_token, instance_id, inherited, request_id, holder,
                   purpose, region, attributes, stall_ms, granted_at, end_reason, end_by, end_why,
                   ended_at, end_request, closed_reason, closed_until, barred_id, barred_reason,
                   barred_until),
  FAMILY time (ttl_ms, renewed_at, expires_at, progress, progressed_at, standing, written_at)
);

-- For listing in pages.
CREATE INDEX IF NOT EXISTS leasehold_lease_by_key ON leasehold_lease (key);

-- Grants that another has followed: history for people, why each ended, and the requests that began
-- and ended them.
CREATE TABLE IF NOT EXISTS leasehold_past_grant (
  bucket       integer NOT NULL,
  key          text NOT NULL,
  token        bigint  NOT NULL,
  instance_id  text    NOT NULL,
  inherited    boolean NOT NULL,
  request_id   text NOT NULL,
  holder       text    NOT NULL,
  purpose      text    NOT NULL,
  region       text    NOT NULL,
  granted_at   bigint  NOT NULL,
  followed_at  bigint  NOT NULL,
  reason       text    NOT NULL,
  reason_by    text,
  reason_why   text,
  reason_token bigint,
  end_request  text,
  PRIMARY KEY (bucket, key, token)
);

CREATE INDEX IF NOT EXISTS leasehold_past_grant_by_request ON leasehold_past_grant (request_id);

-- Rarer requests that changed something: abandoned, handed over, revoked, reopened.
CREATE TABLE IF NOT EXISTS leasehold_request (
  bucket     integer NOT NULL,
  key        text NOT NULL,
  request_id text NOT NULL,
  verb       text NOT NULL,
  caller     text NOT NULL,
  token      bigint NOT NULL,
  at         bigint NOT NULL,
  PRIMARY KEY (bucket, key, request_id, verb, caller)
);

-- Changes as lines of text, from which other processes get their hints. The table is bounded.
CREATE TABLE IF NOT EXISTS leasehold_change (
  id      uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  at      bigint NOT NULL,
  changes text NOT NULL
);

CREATE INDEX IF NOT EXISTS leasehold_change_by_time ON leasehold_change (at);
