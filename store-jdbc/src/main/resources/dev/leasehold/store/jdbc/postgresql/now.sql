-- Exact types: if an operator needed a cast, a user's own operator could match better.
pg_catalog.floor(
  pg_catalog.date_part('epoch', pg_catalog.clock_timestamp())
  OPERATOR(pg_catalog.*) 1000::double precision)::bigint
