-- Versioned objects: bytes by type and id. Times are milliseconds since 1970 by the database's clock;
-- versions are 53-bit integers, the store's incarnation in front.

-- One row for each object and, after its deletion, a tombstone until that is purged.
CREATE TABLE IF NOT EXISTS leasehold_object (
  type       TEXT NOT NULL,
  id         TEXT NOT NULL,
  bucket     INTEGER NOT NULL,
  version    INTEGER NOT NULL,
  -- The last write: 0 created, 1 replaced, 2 deleted.
  deed       INTEGER NOT NULL,
  request_id TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  payload    BLOB NOT NULL,
  PRIMARY KEY (type, id)
);

-- The floor of each bucket: a version above those of all purged objects.
CREATE TABLE IF NOT EXISTS leasehold_object_floor (
  bucket  INTEGER PRIMARY KEY,
  version INTEGER NOT NULL
);

WITH RECURSIVE b (bucket) AS (
  SELECT 0 UNION ALL SELECT bucket + 1 FROM b WHERE bucket < 2047
)
INSERT OR IGNORE INTO leasehold_object_floor (bucket, version) SELECT bucket, 0 FROM b;

-- Writes that another has followed, while they may be repeated; and all deletions, from which the
-- purge finds its tombstones.
CREATE TABLE IF NOT EXISTS leasehold_object_deed (
  bucket     INTEGER NOT NULL,
  type       TEXT NOT NULL,
  id         TEXT NOT NULL,
  request_id TEXT NOT NULL,
  version    INTEGER NOT NULL,
  deed       INTEGER NOT NULL,
  at         INTEGER NOT NULL,
  PRIMARY KEY (bucket, type, id, request_id, version)
) WITHOUT ROWID;

-- Types (with an empty id) and objects whose writes must bring the current token of a key.
CREATE TABLE IF NOT EXISTS leasehold_object_binding (
  type     TEXT NOT NULL,
  id       TEXT NOT NULL,
  key      TEXT NOT NULL,
  bound_by TEXT NOT NULL,
  bound_at INTEGER NOT NULL,
  PRIMARY KEY (type, id)
) WITHOUT ROWID;

-- A row that is deleted by hand leaves its version below the floor, as a purged one does.
CREATE TRIGGER IF NOT EXISTS leasehold_keep_object_floor AFTER DELETE ON leasehold_object
BEGIN
  UPDATE leasehold_object_floor SET version = OLD.version
   WHERE bucket = OLD.bucket AND version < OLD.version; END;
