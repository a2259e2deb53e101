SELECT leasehold_bring(?::pg_catalog.text, ?::bigint, ?::pg_catalog.text)
