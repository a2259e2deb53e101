-- The server ends the transaction when the trust has run out, even if its client is stopped. A
-- running timeout is not changed by another value, only by none; a shorter one may go on.
CASE WHEN pg_catalog.current_setting('server_version_num')::integer OPERATOR(pg_catalog.<) 170000
     THEN pg_catalog.set_config('lock_timeout', t.most, true)
          OPERATOR(pg_catalog.||) pg_catalog.set_config('statement_timeout', t.most, true)
     WHEN pg_catalog.current_setting('transaction_timeout', true)::interval
          OPERATOR(pg_catalog.>) '0'::interval
      AND pg_catalog.current_setting('transaction_timeout', true)::interval
          OPERATOR(pg_catalog.<=) t.most::interval
     THEN ''::pg_catalog.text
     WHEN pg_catalog.set_config('transaction_timeout', '0', true)
          OPERATOR(pg_catalog.=) '0'::pg_catalog.text
     THEN pg_catalog.set_config('transaction_timeout', t.most, true) END
OPERATOR(pg_catalog.||)
pg_catalog.set_config('idle_in_transaction_session_timeout', t.most, true)
OPERATOR(pg_catalog.||)
@{bound-send},
-- As leasehold_bring does, in a transaction that has brought nothing yet.
pg_catalog.set_config('leasehold.brought',
  pg_catalog.concat(pg_catalog.pg_current_xact_id(), ' ', t.key, ' ', t.token,
                    ':'::pg_catalog.text OPERATOR(pg_catalog.||) t.instance_id), true)
