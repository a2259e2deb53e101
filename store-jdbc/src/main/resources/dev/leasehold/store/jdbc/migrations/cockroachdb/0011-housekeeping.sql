-- How far housekeeping has come in each table, so that the next process continues from there. A
-- place is the last row that was examined, by the table's primary key.
CREATE TABLE IF NOT EXISTS leasehold_housekeeping (
  chore   text PRIMARY KEY,
  -- The token of the lease leasehold/housekeeping; a lower one can no longer change a place.
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
