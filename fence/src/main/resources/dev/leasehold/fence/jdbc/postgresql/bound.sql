-- For this transaction only. The former values are read before this statement changes them.
SELECT pg_catalog.current_setting('lock_timeout'),
       pg_catalog.set_config('lock_timeout', t.wait, true),
       @{bound-idle}
  FROM (SELECT ?::pg_catalog.text AS wait, ?::pg_catalog.text AS pause) t
