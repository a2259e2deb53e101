-- Versioned objects: bytes by type and id. Times are milliseconds since 1970 by the database's clock;
-- versions are 53-bit integers, the store's incarnation in front.

-- One row for each object and, after its deletion, a tombstone until that is purged. Nothing that a
-- write changes is indexed, so that writes are HOT updates where the page has room.
CREATE TABLE IF NOT EXISTS leasehold_object (
  type       text COLLATE "C" NOT NULL,
  id         text COLLATE "C" NOT NULL,
  bucket     integer NOT NULL,
  version    bigint NOT NULL,
  -- The last write: 0 created, 1 replaced, 2 deleted.
  deed       smallint NOT NULL,
  request_id text NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  payload    bytea NOT NULL,
  PRIMARY KEY (type, id)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

-- The floor of each bucket: a version above those of all purged objects.
CREATE TABLE IF NOT EXISTS leasehold_object_floor (
  bucket  integer PRIMARY KEY,
  version bigint  NOT NULL
);

INSERT INTO leasehold_object_floor (bucket, version)
SELECT b, 0 FROM generate_series(0, 2047) AS b
ON CONFLICT DO NOTHING;

-- Writes that another has followed, while they may be repeated; and all deletions, from which the
-- purge finds its tombstones.
CREATE TABLE IF NOT EXISTS leasehold_object_deed (
  bucket     integer NOT NULL,
  type       text COLLATE "C" NOT NULL,
  id         text COLLATE "C" NOT NULL,
  request_id text COLLATE "C" NOT NULL,
  version    bigint NOT NULL,
  deed       smallint NOT NULL,
  at         bigint NOT NULL,
  PRIMARY KEY (bucket, type, id, request_id, version)
);

-- Types (with an empty id) and objects whose writes must bring the current token of a key.
CREATE TABLE IF NOT EXISTS leasehold_object_binding (
  type     text COLLATE "C" NOT NULL,
  id       text COLLATE "C" NOT NULL,
  key      text NOT NULL,
  bound_by text NOT NULL,
  bound_at bigint NOT NULL,
  PRIMARY KEY (type, id)
);

-- A row that is deleted by hand leaves its version below the floor, as a purged one does.
CREATE OR REPLACE FUNCTION leasehold_keep_object_floor() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  IF TG_OP = 'DELETE' THEN
    EXECUTE format('UPDATE %I.leasehold_object_floor SET version = $2
                     WHERE bucket = $1 AND version < $2',
                   TG_TABLE_SCHEMA)
      USING OLD.bucket, OLD.version;
  ELSE
    EXECUTE format('UPDATE %1$I.leasehold_object_floor f SET version = o.version
                      FROM (SELECT bucket, max(version) AS version
                              FROM %1$I.leasehold_object GROUP BY bucket) o
                     WHERE f.bucket = o.bucket AND f.version < o.version',
                   TG_TABLE_SCHEMA);
  END IF;
  RETURN NULL;
END
$body$;

DROP TRIGGER IF EXISTS leasehold_keep_object_floor ON leasehold_object;
CREATE TRIGGER leasehold_keep_object_floor AFTER DELETE ON leasehold_object
  FOR EACH ROW EXECUTE FUNCTION leasehold_keep_object_floor();

DROP TRIGGER IF EXISTS leasehold_keep_object_floors ON leasehold_object;
CREATE TRIGGER leasehold_keep_object_floors BEFORE TRUNCATE ON leasehold_object
  FOR EACH STATEMENT EXECUTE FUNCTION leasehold_keep_object_floor();
