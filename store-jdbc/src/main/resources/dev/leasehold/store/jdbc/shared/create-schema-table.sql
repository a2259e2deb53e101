CREATE TABLE IF NOT EXISTS leasehold_schema (
  version    integer PRIMARY KEY,
  name       text    NOT NULL,
  minor      integer NOT NULL,
  applied_at bigint  NOT NULL
)
