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

-- One row for each key. Nothing that a renewal writes is indexed, so that renewals are HOT updates.
-- Half of each page is left free: a batch may renew every row of a page before any old version can
-- go.
CREATE TABLE IF NOT EXISTS leasehold_lease (
  bucket         integer NOT NULL,
  key            text COLLATE "C" NOT NULL,
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
  PRIMARY KEY (bucket, key)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

-- For listing in pages.
CREATE INDEX IF NOT EXISTS leasehold_lease_by_key ON leasehold_lease (key);

-- Grants that another has followed: history for people, why each ended, and the requests that began
-- and ended them.
CREATE TABLE IF NOT EXISTS leasehold_past_grant (
  bucket       integer NOT NULL,
  key          text COLLATE "C" NOT NULL,
  token        bigint  NOT NULL,
  instance_id  text    NOT NULL,
  inherited    boolean NOT NULL,
  request_id   text COLLATE "C" NOT NULL,
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
  key        text COLLATE "C" NOT NULL,
  request_id text COLLATE "C" NOT NULL,
  verb       text NOT NULL,
  caller     text NOT NULL,
  token      bigint NOT NULL,
  at         bigint NOT NULL,
  PRIMARY KEY (bucket, key, request_id, verb, caller)
);

-- A row that is deleted by hand leaves its token below the floor, as a purged one does. Otherwise
-- the key's next holder could get the token of a holder that is still at work.
CREATE OR REPLACE FUNCTION leasehold_keep_floor() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  IF TG_OP = 'DELETE' THEN
    EXECUTE format('UPDATE %I.leasehold_floor SET token = $2 WHERE bucket = $1 AND token < $2',
                   TG_TABLE_SCHEMA)
      USING OLD.bucket, OLD.last_token;
  ELSE
    EXECUTE format('UPDATE %1$I.leasehold_floor f SET token = l.token
                      FROM (SELECT bucket, max(last_token) AS token
                              FROM %1$I.leasehold_lease GROUP BY bucket) l
                     WHERE f.bucket = l.bucket AND f.token < l.token',
                   TG_TABLE_SCHEMA);
  END IF;
  RETURN NULL;
END
$body$;

DROP TRIGGER IF EXISTS leasehold_keep_floor ON leasehold_lease;
CREATE TRIGGER leasehold_keep_floor AFTER DELETE ON leasehold_lease
  FOR EACH ROW EXECUTE FUNCTION leasehold_keep_floor();

DROP TRIGGER IF EXISTS leasehold_keep_floors ON leasehold_lease;
CREATE TRIGGER leasehold_keep_floors BEFORE TRUNCATE ON leasehold_lease
  FOR EACH STATEMENT EXECUTE FUNCTION leasehold_keep_floor();
