pg_catalog.floor(EXTRACT(epoch FROM pg_catalog.clock_timestamp())
                 OPERATOR(pg_catalog.*) 1000)::bigint
