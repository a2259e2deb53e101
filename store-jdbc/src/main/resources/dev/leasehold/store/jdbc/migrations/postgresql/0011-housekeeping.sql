-- Where the one process that tidies has come to in each table, so that its successor goes on from
-- there. A place is the last row that was looked at, by the table's primary key.
CREATE TABLE IF NOT EXISTS leasehold_housekeeping (
  chore   text COLLATE "C" PRIMARY KEY,
  -- Of the lease leasehold/housekeeping; a lower one moves no place any more.
  token   bigint  NOT NULL,
  bucket  integer NOT NULL,
  name    text    NOT NULL,
  part    text    NOT NULL,
  request text    NOT NULL,
  number  bigint  NOT NULL
);

INSERT INTO leasehold_housekeeping (chore, token, bucket, name, part, request, number)
VALUES ('history', 0, -1, '', '', '', 0),
       ('leases', 0, -1, '', '', '', 0),
       ('requests', 0, -1, '', '', '', 0),
       ('objects', 0, -1, '', '', '', 0)
ON CONFLICT DO NOTHING;

-- Rows that are deleted leave their tokens below the floor. Once for each statement, since a page of
-- dead rows is deleted by one. The floors are locked FOR UPDATE, in the order of buckets, before they are raised.
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
