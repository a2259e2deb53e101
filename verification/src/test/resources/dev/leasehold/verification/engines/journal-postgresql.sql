-- The ground truth of a run: each change of a lease, written down by the transaction that makes it.
-- A number is drawn while the row is locked, so that within a key they are in the order of commits.
CREATE TABLE test_journal (
  seq          bigserial PRIMARY KEY,
  what         text NOT NULL,
  key          text,
  was_token    bigint,
  token        bigint,
  was_standing smallint,
  standing     smallint,
  last_token   bigint,
  expires_at   bigint,
  at           bigint,
  instance_id  text,
  request_id   text,
  end_reason   text,
  end_request  text,
  verb         text,
  caller       text
);

CREATE FUNCTION test_journal_lease() RETURNS trigger LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
  before leasehold_lease;
BEGIN
  IF TG_OP = 'DELETE' THEN
    INSERT INTO test_journal (what, key, last_token, at)
    VALUES ('delete', OLD.key, OLD.last_token, OLD.written_at);
    RETURN NULL;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    before := OLD;
  END IF;
  INSERT INTO test_journal (what, key, was_token, token, was_standing, standing, last_token,
                            expires_at, at, instance_id, request_id, end_reason, end_request)
  VALUES ('put', NEW.key, before.grant_token, NEW.grant_token, before.standing, NEW.standing,
          NEW.last_token, NEW.expires_at, NEW.written_at, NEW.instance_id, NEW.request_id,
          NEW.end_reason, NEW.end_request);
  RETURN NULL;
END $$;

CREATE TRIGGER test_journal AFTER INSERT OR UPDATE OR DELETE ON leasehold_lease
FOR EACH ROW EXECUTE FUNCTION test_journal_lease();

CREATE FUNCTION test_journal_request() RETURNS trigger LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO test_journal (what, key, request_id, verb, caller, token, at)
  VALUES ('request', NEW.key, NEW.request_id, NEW.verb, NEW.caller, NEW.token, NEW.at);
  RETURN NULL;
END $$;

CREATE TRIGGER test_journal AFTER INSERT ON leasehold_request
FOR EACH ROW EXECUTE FUNCTION test_journal_request();

CREATE FUNCTION test_journal_store() RETURNS trigger LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO test_journal (what, token, at) VALUES ('advance', NEW.incarnation, 0);
  RETURN NULL;
END $$;

CREATE TRIGGER test_journal AFTER UPDATE ON leasehold_store
FOR EACH ROW WHEN (NEW.incarnation <> OLD.incarnation) EXECUTE FUNCTION test_journal_store();

-- Targets. A change is one call, so that a client that is stopped in its midst holds no lock.
CREATE TABLE test_mark (
  key   text PRIMARY KEY,
  token bigint NOT NULL
);

CREATE TABLE test_target (
  seq       bigserial PRIMARY KEY,
  target    text NOT NULL,
  key       text NOT NULL,
  token     bigint NOT NULL,
  action    text NOT NULL,
  after_seq bigint NOT NULL,
  nanos     bigint NOT NULL
);

CREATE FUNCTION test_fenced(k text, t bigint, done text, n bigint) RETURNS text
LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
  highest bigint;
BEGIN
  INSERT INTO test_mark VALUES (k, t) ON CONFLICT (key) DO UPDATE SET token = test_mark.token
  RETURNING token INTO highest;
  IF t < highest THEN
    done := 'refused';
  ELSE
    UPDATE test_mark SET token = t WHERE key = k;
  END IF;
  INSERT INTO test_target (target, key, token, action, after_seq, nanos)
  VALUES ('fenced', k, t, done, 0, n);
  RETURN done;
END $$;

CREATE FUNCTION test_unfenced(k text, t bigint, n bigint) RETURNS text LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO test_target (target, key, token, action, after_seq, nanos)
  VALUES ('unfenced', k, t, 'changed', 0, n);
  RETURN 'changed';
END $$;

CREATE FUNCTION test_at_effect(b integer, k text, t bigint, n bigint) RETURNS text
LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
DECLARE
  done text := 'refused';
BEGIN
  PERFORM 1
     FROM leasehold_lease l CROSS JOIN leasehold_store s
    WHERE l.bucket = b AND l.key = k AND l.grant_token = t AND l.standing < 2
      AND l.grant_token >> 40 >= s.incarnation
      FOR KEY SHARE OF l;
  IF FOUND THEN
    done := 'at-effect';
  END IF;
  INSERT INTO test_target (target, key, token, action, after_seq, nanos)
  SELECT 'at-effect', k, t, done, coalesce(max(j.seq), 0), n FROM test_journal j WHERE j.key = k;
  RETURN done;
END $$;
