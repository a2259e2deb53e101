-- Versioned objects: bytes by type and id. Times are milliseconds since 1970 by the database's clock;
-- versions are 53-bit integers, the store's incarnation in front.

-- One row for each object and, after its deletion, a tombstone until that is purged.
CREATE TABLE IF NOT EXISTS leasehold_object (
  type       text NOT NULL,
  id         text NOT NULL,
  bucket     integer NOT NULL,
  version    bigint NOT NULL,
  -- The last write: 0 created, 1 replaced, 2 deleted.
  deed       smallint NOT NULL,
  request_id text NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  payload    bytea NOT NULL,
  PRIMARY KEY (type, id),
  -- A decision locks and reads only the first family.
  FAMILY record (type, id, bucket, version, deed, request_id, created_at, updated_at),
  FAMILY content (payload)
);

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
  type       text NOT NULL,
  id         text NOT NULL,
  request_id text NOT NULL,
  version    bigint NOT NULL,
  deed       smallint NOT NULL,
  at         bigint NOT NULL,
  PRIMARY KEY (bucket, type, id, request_id, version)
);

-- Types (with an empty id) and objects whose writes must bring the current token of a key.
CREATE TABLE IF NOT EXISTS leasehold_object_binding (
  type     text NOT NULL,
  id       text NOT NULL,
  key      text NOT NULL,
  bound_by text NOT NULL,
  bound_at bigint NOT NULL,
  PRIMARY KEY (type, id)
);
