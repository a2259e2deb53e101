EXISTS (
  SELECT 1
    FROM (SELECT ?::pg_catalog.text AS key, ?::bigint AS token, ?::pg_catalog.text AS instance_id,
                 ?::pg_catalog.text AS most) t
    JOIN leasehold_lease l
      ON l.key OPERATOR(pg_catalog.=) t.key AND l.last_token OPERATOR(pg_catalog.=) t.token
   CROSS JOIN leasehold_store s
   WHERE @{acts-anywhere}
     AND @{incarnation-lock-anywhere} OPERATOR(pg_catalog.>=) 0
     AND (@{bound-by-trust}) IS NOT NULL
     FOR KEY SHARE OF l)
