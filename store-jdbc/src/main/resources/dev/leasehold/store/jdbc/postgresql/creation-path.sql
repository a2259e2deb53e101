-- New objects are created in this schema; pg_catalog, although not named, is still searched first.
SELECT pg_catalog.set_config(
  'search_path', pg_catalog.concat(pg_catalog.quote_ident(?::text), ', pg_temp'), true)
