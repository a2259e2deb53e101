-- The marks of fences whose targets are in this database. Times are milliseconds since 1970 by the
-- database's clock; tokens are 53-bit integers.

-- The highest token that was admitted, or sealed with, for each target and key.
CREATE TABLE IF NOT EXISTS leasehold_mark (
  target    text    NOT NULL,
  key       text    NOT NULL,
  token     integer NOT NULL,
  -- Sealed with a void token: only higher tokens pass.
  above     boolean NOT NULL,
  raised_at integer NOT NULL,
  PRIMARY KEY (target, key)
);

-- Seals that still wait for changes under lower tokens to end; no further one begins.
CREATE TABLE IF NOT EXISTS leasehold_mark_coming (
  target text   NOT NULL,
  key    text   NOT NULL,
  token  integer NOT NULL,
  PRIMARY KEY (target, key)
);

-- Refusals, and resets by operators: about the last 1,000 of each target.
CREATE TABLE IF NOT EXISTS leasehold_mark_trail (
  id      integer PRIMARY KEY AUTOINCREMENT,
  target  text   NOT NULL,
  key     text   NOT NULL,
  what    text   NOT NULL,
  brought integer,
  current integer,
  who     text   NOT NULL,
  why     text   NOT NULL,
  at      integer NOT NULL
);

CREATE INDEX IF NOT EXISTS leasehold_mark_trail_by_target ON leasehold_mark_trail (target, id);
