-- Where the one process that tidies has come to in each table, so that its successor goes on from
-- there. A place is the last row that was looked at, by the table's primary key.
CREATE TABLE IF NOT EXISTS leasehold_housekeeping (
  chore   TEXT PRIMARY KEY,
  -- Of the lease leasehold/housekeeping; a lower one moves no place any more.
  token   INTEGER NOT NULL,
  bucket  INTEGER NOT NULL,
  name    TEXT    NOT NULL,
  part    TEXT    NOT NULL,
  request TEXT    NOT NULL,
  number  INTEGER NOT NULL
) WITHOUT ROWID;

INSERT INTO leasehold_housekeeping (chore, token, bucket, name, part, request, number)
VALUES ('history', 0, -1, '', '', '', 0),
       ('leases', 0, -1, '', '', '', 0),
       ('requests', 0, -1, '', '', '', 0),
       ('objects', 0, -1, '', '', '', 0)
ON CONFLICT DO NOTHING;
