-- On a connection with the user's path: the schema in which the path finds the store, or would
-- create it.
SELECT coalesce(
         (SELECT n.nspname
            FROM pg_catalog.pg_class c
            JOIN pg_catalog.pg_namespace n ON n.oid OPERATOR(pg_catalog.=) c.relnamespace
           WHERE c.oid OPERATOR(pg_catalog.=) pg_catalog.to_regclass('leasehold_schema')::pg_catalog.oid),
         pg_catalog.current_schema()),
       pg_catalog.current_setting('search_path')
