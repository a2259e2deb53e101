-- A floor is locked FOR UPDATE before it is raised, in the triggers as in a purge. An acquire that
-- inserts holds its floor FOR KEY SHARE, and a plain UPDATE of another column does not conflict with
-- that: the floor could be raised, and the row be gone, between its reading and the insert.
CREATE OR REPLACE FUNCTION leasehold_keep_floor() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
  IF TG_OP = 'DELETE' THEN
    EXECUTE format('SELECT 1 FROM %I.leasehold_floor WHERE bucket = $1 FOR UPDATE', TG_TABLE_SCHEMA)
      USING OLD.bucket;
    EXECUTE format('UPDATE %I.leasehold_floor SET token = $2 WHERE bucket = $1 AND token < $2',
                   TG_TABLE_SCHEMA)
      USING OLD.bucket, OLD.last_token;
  ELSE
    EXECUTE format('SELECT 1 FROM %I.leasehold_floor ORDER BY bucket FOR UPDATE', TG_TABLE_SCHEMA);
    EXECUTE format('UPDATE %1$I.leasehold_floor f SET token = l.token
                      FROM (SELECT bucket, max(last_token) AS token
                              FROM %1$I.leasehold_lease GROUP BY bucket) l
                     WHERE f.bucket = l.bucket AND f.token < l.token',
                   TG_TABLE_SCHEMA);
  END IF;
  RETURN NULL;
END
$body$;

CREATE OR REPLACE FUNCTION leasehold_keep_object_floor() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
  IF TG_OP = 'DELETE' THEN
    EXECUTE format('SELECT 1 FROM %I.leasehold_object_floor WHERE bucket = $1 FOR UPDATE',
                   TG_TABLE_SCHEMA)
      USING OLD.bucket;
    EXECUTE format('UPDATE %I.leasehold_object_floor SET version = $2
                     WHERE bucket = $1 AND version < $2',
                   TG_TABLE_SCHEMA)
      USING OLD.bucket, OLD.version;
  ELSE
    EXECUTE format('SELECT 1 FROM %I.leasehold_object_floor ORDER BY bucket FOR UPDATE',
                   TG_TABLE_SCHEMA);
    EXECUTE format('UPDATE %1$I.leasehold_object_floor f SET version = o.version
                      FROM (SELECT bucket, max(version) AS version
                              FROM %1$I.leasehold_object GROUP BY bucket) o
                     WHERE f.bucket = o.bucket AND f.version < o.version',
                   TG_TABLE_SCHEMA);
  END IF;
  RETURN NULL;
END
$body$;

-- The transactions behind a row's xmax where several lock it together. The server raises an error
-- for a number that is no such group; then there are none.
CREATE OR REPLACE FUNCTION leasehold_multixact_members(multixact xid) RETURNS SETOF xid
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
  RETURN QUERY SELECT m.xid FROM pg_catalog.pg_get_multixact_members(multixact) m;
EXCEPTION WHEN OTHERS THEN
  RETURN;
END
$body$;
