-- On a connection whose path is the user's: the schema where the store is found along it, or where
-- it would be created.
SELECT coalesce(
         (SELECT n.nspname
            FROM pg_catalog.pg_class c
            JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
           WHERE c.oid OPERATOR(pg_catalog.=) pg_catalog.to_regclass('leasehold_schema')::pg_catalog.oid),
         pg_catalog.current_schema()),
       pg_catalog.current_setting('search_path')
