-- The schema that the leases are in, as it is written in SQL.
SELECT pg_catalog.quote_ident(n.nspname)
  FROM pg_catalog.pg_class c
  JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
 WHERE c.oid OPERATOR(pg_catalog.=) 'leasehold_lease'::regclass::oid
