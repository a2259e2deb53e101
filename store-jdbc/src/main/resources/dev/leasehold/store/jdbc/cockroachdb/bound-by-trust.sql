-- As on PostgreSQL, whose limits have units; here they are milliseconds.
CASE WHEN regexp_replace(current_setting('idle_in_transaction_session_timeout'), '^([0-9]+)$',
                         '\1ms')::interval
          BETWEEN '1ms'::interval AND t.most::interval
     THEN ''
     ELSE set_config('idle_in_transaction_session_timeout', t.most, true) END
|| CASE WHEN regexp_replace(current_setting('statement_timeout'), '^([0-9]+)$', '\1ms')::interval
             BETWEEN '1ms'::interval AND t.most::interval
        THEN ''
        ELSE set_config('statement_timeout', t.most, true) END
