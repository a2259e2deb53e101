-- A floor is locked FOR UPDATE before it is raised, in the triggers as in a purge. An acquire that
-- inserts holds its floor FOR KEY SHARE, and a plain UPDATE of another column does not conflict with
-- that: the floor could be raised, and the row be gone, between its reading and the insert.

-- Before a table is emptied. That removes rows, too, that an older snapshot does not show: their
-- tokens would not be kept.
CREATE OR REPLACE FUNCTION leasehold_keep_floor() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION '% is emptied at READ COMMITTED only: above, rows are lost that are newer than'
                    ' the snapshot, and their numbers would be issued again', TG_TABLE_NAME
      USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  EXECUTE format('SELECT 1 FROM %I.leasehold_floor ORDER BY bucket FOR UPDATE', TG_TABLE_SCHEMA);
  EXECUTE format('UPDATE %1$I.leasehold_floor f SET token = l.token
                    FROM (SELECT bucket, max(last_token) AS token
                            FROM %1$I.leasehold_lease GROUP BY bucket) l
                   WHERE f.bucket = l.bucket AND f.token < l.token',
                 TG_TABLE_SCHEMA);
  RETURN NULL;
END
$body$;

CREATE OR REPLACE FUNCTION leasehold_keep_object_floor() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION '% is emptied at READ COMMITTED only: above, rows are lost that are newer than'
                    ' the snapshot, and their numbers would be issued again', TG_TABLE_NAME
      USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  EXECUTE format('SELECT 1 FROM %I.leasehold_object_floor ORDER BY bucket FOR UPDATE',
                 TG_TABLE_SCHEMA);
  EXECUTE format('UPDATE %1$I.leasehold_object_floor f SET version = o.version
                    FROM (SELECT bucket, max(version) AS version
                            FROM %1$I.leasehold_object GROUP BY bucket) o
                   WHERE f.bucket = o.bucket AND f.version < o.version',
                 TG_TABLE_SCHEMA);
  RETURN NULL;
END
$body$;

-- After rows are deleted, once for each statement: a page of dead rows is deleted by one, and a call
-- for each row took most of its time. Floors are locked in the order of buckets.
CREATE OR REPLACE FUNCTION leasehold_keep_floors_of_deleted() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
  EXECUTE format('SELECT 1 FROM %I.leasehold_floor
                   WHERE bucket = ANY (ARRAY(SELECT DISTINCT bucket FROM gone))
                   ORDER BY bucket FOR UPDATE',
                 TG_TABLE_SCHEMA);
  EXECUTE format('UPDATE %I.leasehold_floor f SET token = g.token
                    FROM (SELECT bucket, max(last_token) AS token FROM gone GROUP BY bucket) g
                   WHERE f.bucket = g.bucket AND f.token < g.token',
                 TG_TABLE_SCHEMA);
  RETURN NULL;
END
$body$;

DROP TRIGGER IF EXISTS leasehold_keep_floor ON leasehold_lease;
CREATE TRIGGER leasehold_keep_floor AFTER DELETE ON leasehold_lease
  REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION leasehold_keep_floors_of_deleted();

CREATE OR REPLACE FUNCTION leasehold_keep_object_floors_of_deleted() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $body$
BEGIN
  EXECUTE format('SELECT 1 FROM %I.leasehold_object_floor
                   WHERE bucket = ANY (ARRAY(SELECT DISTINCT bucket FROM gone))
                   ORDER BY bucket FOR UPDATE',
                 TG_TABLE_SCHEMA);
  EXECUTE format('UPDATE %I.leasehold_object_floor f SET version = g.version
                    FROM (SELECT bucket, max(version) AS version FROM gone GROUP BY bucket) g
                   WHERE f.bucket = g.bucket AND f.version < g.version',
                 TG_TABLE_SCHEMA);
  RETURN NULL;
END
$body$;

DROP TRIGGER IF EXISTS leasehold_keep_object_floor ON leasehold_object;
CREATE TRIGGER leasehold_keep_object_floor AFTER DELETE ON leasehold_object
  REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION leasehold_keep_object_floors_of_deleted();

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
