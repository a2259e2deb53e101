-- As on PostgreSQL; the one writer there is makes the order.
CREATE TABLE test_journal (
  seq          INTEGER PRIMARY KEY AUTOINCREMENT,
  what         TEXT NOT NULL,
  key          TEXT,
  was_token    INTEGER,
  token        INTEGER,
  was_standing INTEGER,
  standing     INTEGER,
  last_token   INTEGER,
  expires_at   INTEGER,
  at           INTEGER,
  instance_id  TEXT,
  request_id   TEXT,
  end_reason   TEXT,
  end_request  TEXT,
  verb         TEXT,
  caller       TEXT
);

CREATE TRIGGER test_journal_insert AFTER INSERT ON leasehold_lease BEGIN
  INSERT INTO test_journal (what, key, token, standing, last_token, expires_at, at, instance_id,
                            request_id, end_reason, end_request)
  VALUES ('put', NEW.key, NEW.grant_token, NEW.standing, NEW.last_token, NEW.expires_at,
          NEW.written_at, NEW.instance_id, NEW.request_id, NEW.end_reason, NEW.end_request);
END;

CREATE TRIGGER test_journal_update AFTER UPDATE ON leasehold_lease BEGIN
  INSERT INTO test_journal (what, key, was_token, token, was_standing, standing, last_token,
                            expires_at, at, instance_id, request_id, end_reason, end_request)
  VALUES ('put', NEW.key, OLD.grant_token, NEW.grant_token, OLD.standing, NEW.standing,
          NEW.last_token, NEW.expires_at, NEW.written_at, NEW.instance_id, NEW.request_id,
          NEW.end_reason, NEW.end_request);
END;

CREATE TRIGGER test_journal_delete AFTER DELETE ON leasehold_lease BEGIN
  INSERT INTO test_journal (what, key, last_token, at)
  VALUES ('delete', OLD.key, OLD.last_token, OLD.written_at);
END;

CREATE TRIGGER test_journal_request AFTER INSERT ON leasehold_request BEGIN
  INSERT INTO test_journal (what, key, request_id, verb, caller, token, at)
  VALUES ('request', NEW.key, NEW.request_id, NEW.verb, NEW.caller, NEW.token, NEW.at);
END;

CREATE TRIGGER test_journal_store AFTER UPDATE ON leasehold_store
WHEN NEW.incarnation <> OLD.incarnation BEGIN
  INSERT INTO test_journal (what, token, at) VALUES ('advance', NEW.incarnation, 0);
END;

CREATE TABLE test_mark (
  key   TEXT PRIMARY KEY,
  token INTEGER NOT NULL
);

CREATE TABLE test_target (
  seq       INTEGER PRIMARY KEY AUTOINCREMENT,
  target    TEXT NOT NULL,
  key       TEXT NOT NULL,
  token     INTEGER NOT NULL,
  action    TEXT NOT NULL,
  after_seq INTEGER NOT NULL,
  nanos     INTEGER NOT NULL
);
