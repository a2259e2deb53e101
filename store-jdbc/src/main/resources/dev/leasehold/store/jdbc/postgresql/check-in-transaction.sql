-- The check in a user's transaction: it returns one row, or the statement fails and the database
-- aborts the transaction. The lock on the lease's row lasts until the transaction ends: a command
-- that ends the grant waits (FOR UPDATE), a renewal does not (FOR NO KEY UPDATE). The user's
-- search_path does not matter here: tables, functions, types and operators are written with their
-- schemas.
SELECT COALESCE(
         (SELECT @{incarnation-lock-anywhere}::pg_catalog.text OPERATOR(pg_catalog.||)
                 (@{bound-by-trust})
            FROM leasehold_lease l
           CROSS JOIN leasehold_store s
           WHERE l.bucket OPERATOR(pg_catalog.=) t.bucket
             AND l.key OPERATOR(pg_catalog.=) t.key
             AND l.last_token OPERATOR(pg_catalog.=) t.token
             AND @{acts-anywhere}
             AND s.store_id OPERATOR(pg_catalog.=) t.store_id
             AND t.most IS NOT NULL
             FOR KEY SHARE OF l),
         leasehold_refuse_check(
           t.store_id, t.bucket, t.key, t.token, t.instance_id, t.most))
  FROM (SELECT ?::integer AS bucket, ?::pg_catalog.text AS key, ?::bigint AS token,
               ?::pg_catalog.text AS instance_id, ?::pg_catalog.text AS store_id,
               ?::pg_catalog.text AS most) t
