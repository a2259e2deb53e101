-- Unless the user has set a lower limit (0 is none). PostgreSQL gives its limits with a unit,
-- CockroachDB in milliseconds.
CASE WHEN pg_catalog.concat(pg_catalog.current_setting('idle_in_transaction_session_timeout'),
            CASE WHEN pg_catalog.current_setting('idle_in_transaction_session_timeout')
                      OPERATOR(pg_catalog.~) '^[0-9]+$' THEN 'ms' END)::interval
          OPERATOR(pg_catalog.>) '0'::interval
      AND pg_catalog.concat(pg_catalog.current_setting('idle_in_transaction_session_timeout'),
            CASE WHEN pg_catalog.current_setting('idle_in_transaction_session_timeout')
                      OPERATOR(pg_catalog.~) '^[0-9]+$' THEN 'ms' END)::interval
          OPERATOR(pg_catalog.<=) t.pause::interval
     THEN ''
     ELSE pg_catalog.set_config('idle_in_transaction_session_timeout', t.pause, true) END
OPERATOR(pg_catalog.||)
@{bound-send}
