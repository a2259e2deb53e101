-- The server ends a transaction whose statements, or which as a whole (from PostgreSQL 17 on), would
-- outlast the trust. Another value does not change a running limit, only 0 does; a user's limit that
-- ends the transaction sooner remains. The limit of an earlier check counts from that check, not from
-- the beginning of the transaction.
CASE WHEN pg_catalog.concat(pg_catalog.current_setting('statement_timeout'),
            CASE WHEN pg_catalog.current_setting('statement_timeout')
                      OPERATOR(pg_catalog.~) '^[0-9]+$' THEN 'ms' END)::interval
          OPERATOR(pg_catalog.>) '0'::interval
      AND pg_catalog.concat(pg_catalog.current_setting('statement_timeout'),
            CASE WHEN pg_catalog.current_setting('statement_timeout')
                      OPERATOR(pg_catalog.~) '^[0-9]+$' THEN 'ms' END)::interval
          OPERATOR(pg_catalog.<=) t.most::interval
     THEN ''
     ELSE pg_catalog.set_config('statement_timeout', t.most, true) END
OPERATOR(pg_catalog.||)
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
