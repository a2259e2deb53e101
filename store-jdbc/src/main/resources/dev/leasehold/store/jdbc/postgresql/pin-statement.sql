-- As pin-connection, until the transaction ends: for what follows in the same round trip.
SELECT pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true)
