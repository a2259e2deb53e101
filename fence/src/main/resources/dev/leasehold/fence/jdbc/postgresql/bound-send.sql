-- While the server waits for a client that has stopped reading, it looks at none of its timeouts: the
-- kernel breaks such a connection. Where the kernel cannot, a value would only be logged as an error.
CASE WHEN pg_catalog.version() OPERATOR(pg_catalog.!~) '^PostgreSQL .*linux'
       OR (pg_catalog.current_setting('tcp_user_timeout', true) OPERATOR(pg_catalog.<>) '0'
           AND (pg_catalog.current_setting('tcp_user_timeout', true)
                OPERATOR(pg_catalog.||) 'ms'::pg_catalog.text)::interval
               OPERATOR(pg_catalog.<=) t.pause::interval)
     THEN ''::pg_catalog.text
     ELSE pg_catalog.set_config('tcp_user_timeout', t.pause, true) END
