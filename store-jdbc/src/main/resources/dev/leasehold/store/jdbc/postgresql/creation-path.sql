-- What is created goes to this schema; pg_catalog is looked through first, unnamed as it is.
SELECT pg_catalog.set_config(
  'search_path', pg_catalog.concat(pg_catalog.quote_ident(?::text), ', pg_temp'), true)
