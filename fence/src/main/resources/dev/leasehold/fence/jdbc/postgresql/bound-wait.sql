SELECT pg_catalog.set_config('lock_timeout', ?, true)
