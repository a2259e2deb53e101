-- The server ends the transaction of a stopped process once its trust has run out. A lower limit of
-- the user stays (0 means no limit).
CASE WHEN pg_catalog.current_setting('idle_in_transaction_session_timeout')::interval
          OPERATOR(pg_catalog.>) '0'::interval
      AND pg_catalog.current_setting('idle_in_transaction_session_timeout')::interval
          OPERATOR(pg_catalog.<=) t.most::interval
     THEN ''
     ELSE pg_catalog.set_config('idle_in_transaction_session_timeout', t.most, true) END
OPERATOR(pg_catalog.||)
CASE WHEN pg_catalog.current_setting('statement_timeout')::interval
          OPERATOR(pg_catalog.>) '0'::interval
      AND pg_catalog.current_setting('statement_timeout')::interval
          OPERATOR(pg_catalog.<=) t.most::interval
     THEN ''
     ELSE pg_catalog.set_config('statement_timeout', t.most, true) END
OPERATOR(pg_catalog.||)
@{bound-send}
OPERATOR(pg_catalog.||)
-- From PostgreSQL 17 on. A running limit is not changed by another value, only by none; a user's
-- limit that ends the transaction sooner may go on. A limit that an earlier check has set runs
-- since that check, not since the transaction began.
CASE WHEN pg_catalog.current_setting('transaction_timeout', true) IS NULL THEN ''
     WHEN pg_catalog.current_setting('transaction_timeout', true)::interval
          OPERATOR(pg_catalog.>) '0'::interval
      AND pg_catalog.current_setting('transaction_timeout', true)::interval
          OPERATOR(pg_catalog.-)
          CASE WHEN pg_catalog.current_setting('leasehold.bounded', true)
                    OPERATOR(pg_catalog.=) pg_catalog.current_setting('transaction_timeout', true)
               THEN pg_catalog.statement_timestamp() OPERATOR(pg_catalog.-)
                    pg_catalog.current_setting('leasehold.bounded_at', true)::timestamptz
               ELSE pg_catalog.statement_timestamp()
                    OPERATOR(pg_catalog.-) pg_catalog.transaction_timestamp() END
          OPERATOR(pg_catalog.<=) t.most::interval
     THEN ''
     WHEN pg_catalog.set_config('transaction_timeout', '0', true) OPERATOR(pg_catalog.=) '0'
     THEN pg_catalog.set_config('leasehold.bounded',
            pg_catalog.set_config('transaction_timeout', t.most, true), true)
          OPERATOR(pg_catalog.||)
          pg_catalog.set_config('leasehold.bounded_at',
            pg_catalog.statement_timestamp()::pg_catalog.text, true) END
