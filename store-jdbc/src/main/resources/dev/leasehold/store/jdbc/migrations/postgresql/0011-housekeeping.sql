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
