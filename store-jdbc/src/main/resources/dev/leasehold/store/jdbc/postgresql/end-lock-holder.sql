-- Only while it still has the row locked: numbers of processes are used again.
SELECT pg_catalog.pg_terminate_backend(h.pid)
  FROM (@{lock-holders}) AS h (pid, since, client, application)
 WHERE h.pid = ? AND h.pid > 0
