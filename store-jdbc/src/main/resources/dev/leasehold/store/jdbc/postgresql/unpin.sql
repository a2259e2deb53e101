-- Until the transaction ends: the path that the connection was opened with.
SELECT pg_catalog.set_config('search_path', s.reset_val, true)
  FROM pg_catalog.pg_settings s
 WHERE s.name OPERATOR(pg_catalog.=) 'search_path'
