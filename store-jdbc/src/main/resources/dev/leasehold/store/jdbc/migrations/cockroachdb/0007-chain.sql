-- The store's chain: a random value for each second in which something was granted. Witnesses
-- outside the database keep the last links that they have read; a store that was restored to an
-- earlier state and continued from there has other values at the same heights. Times are
-- milliseconds since 1970 by the database's clock.
CREATE TABLE IF NOT EXISTS leasehold_chain (
  height      bigint  PRIMARY KEY,
  link        text    NOT NULL,
  incarnation integer NOT NULL,
  at          bigint  NOT NULL
);

-- The highest incarnation that any witness knew when the store was founded or last advanced; 0 if
-- none did. At most one row.
CREATE TABLE IF NOT EXISTS leasehold_founding (
  id    smallint PRIMARY KEY CHECK (id = 1),
  above integer  NOT NULL
);
