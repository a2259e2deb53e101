-- Only while it still has the row locked, because process ids are reused.
SELECT pg_catalog.pg_terminate_backend(h.pid)
  FROM (@{lock-holders}) AS h (pid, since, client, application)
 WHERE h.pid = ? AND h.pid > 0
