-- Operators and functions are found in pg_catalog and nowhere else; tables are named with their
-- schema. pg_temp is last: left out, it would come first.
SELECT pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', false)
