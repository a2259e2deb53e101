-- The store's chain: a random value for each second in which something was granted. Witnesses
-- outside the database keep the last links that they have read; a store that was restored to an
-- earlier state and continued from there has other values at the same heights. Times are
-- milliseconds since 1970 by the database's clock.
CREATE TABLE IF NOT EXISTS leasehold_chain (
  height      INTEGER PRIMARY KEY,
  link        TEXT    NOT NULL,
  incarnation INTEGER NOT NULL,
  at          INTEGER NOT NULL
);

-- The highest incarnation that any witness knew when the store was founded or last advanced; 0 if
-- none did. At most one row.
CREATE TABLE IF NOT EXISTS leasehold_founding (
  id    INTEGER PRIMARY KEY CHECK (id = 1),
  above INTEGER NOT NULL
);
