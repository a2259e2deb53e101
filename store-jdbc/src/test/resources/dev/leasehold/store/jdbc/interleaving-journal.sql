-- The ground truth of an order: each change of a lease, written down by the transaction that makes
-- it. A number is drawn while the row is locked, so that within a key they are in the order of
-- commits. Nothing here waits for anybody.
CREATE TABLE test_journal (
  seq          bigserial PRIMARY KEY,
  backend      integer NOT NULL DEFAULT pg_backend_pid(),
  what         text NOT NULL,
  key          text,
  was_token    bigint,
  token        bigint,
  was_standing smallint,
  standing     smallint,
  was_last     bigint,
  last_token   bigint,
  expires_at   bigint,
  at           bigint,
  instance_id  text,
  request_id   text,
  end_request  text,
  noted_at     bigint NOT NULL
    DEFAULT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint
);

CREATE FUNCTION test_journal_lease() RETURNS trigger LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    INSERT INTO test_journal (what, key, last_token, at)
    VALUES ('delete', OLD.key, OLD.last_token, OLD.written_at);
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO test_journal (what, key, token, standing, last_token, expires_at, at,
                              instance_id, request_id, end_request)
    VALUES ('put', NEW.key, NEW.grant_token, NEW.standing, NEW.last_token,
            NEW.expires_at, NEW.written_at, NEW.instance_id, NEW.request_id, NEW.end_request);
  ELSE
    INSERT INTO test_journal (what, key, was_token, token, was_standing, standing, was_last,
                              last_token, expires_at, at, instance_id, request_id, end_request)
    VALUES ('put', NEW.key, OLD.grant_token, NEW.grant_token, OLD.standing, NEW.standing,
            OLD.last_token, NEW.last_token, NEW.expires_at, NEW.written_at,
            NEW.instance_id, NEW.request_id, NEW.end_request);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER test_journal AFTER INSERT OR UPDATE OR DELETE ON leasehold_lease
FOR EACH ROW EXECUTE FUNCTION test_journal_lease();

CREATE FUNCTION test_journal_store() RETURNS trigger LANGUAGE plpgsql
SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO test_journal (what, token, at) VALUES ('advance', NEW.incarnation, 0);
  RETURN NULL;
END $$;

CREATE TRIGGER test_journal AFTER UPDATE ON leasehold_store
FOR EACH ROW WHEN (NEW.incarnation <> OLD.incarnation) EXECUTE FUNCTION test_journal_store();

-- What users change under a lease.
CREATE TABLE test_note (key text NOT NULL, token bigint NOT NULL);

-- Autovacuum would take locks that are no actor's.
ALTER TABLE leasehold_lease SET (autovacuum_enabled = false);
ALTER TABLE leasehold_floor SET (autovacuum_enabled = false);
ALTER TABLE leasehold_store SET (autovacuum_enabled = false);
ALTER TABLE leasehold_past_grant SET (autovacuum_enabled = false);
ALTER TABLE leasehold_request SET (autovacuum_enabled = false);
ALTER TABLE leasehold_object SET (autovacuum_enabled = false);
ALTER TABLE test_journal SET (autovacuum_enabled = false);
ALTER TABLE test_note SET (autovacuum_enabled = false);
