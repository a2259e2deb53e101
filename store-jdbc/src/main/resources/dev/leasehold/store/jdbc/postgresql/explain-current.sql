-- As see-current, on the user's connection.
SELECT l.last_token, l.grant_token, l.standing, s.store_id, s.incarnation, f.token,
       pg_catalog.floor(pg_catalog.date_part('epoch', pg_catalog.clock_timestamp())
                        OPERATOR(pg_catalog.*) 1000::double precision)::bigint,
       l.instance_id
  FROM leasehold_store s
  JOIN leasehold_floor f ON f.bucket OPERATOR(pg_catalog.=) ?::integer
  LEFT JOIN leasehold_lease l
    ON l.bucket OPERATOR(pg_catalog.=) f.bucket AND l.key OPERATOR(pg_catalog.=) ?::pg_catalog.text
