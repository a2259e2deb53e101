-- As check-current, with the settings of the change's transaction in the same round trip. Users'
-- statements follow in this transaction, so the path is theirs, and everything here is written with
-- its schema.
SELECT s.store_id, @{incarnation-lock-anywhere},
       @{bound-effect}
  FROM (SELECT ?::integer AS bucket, ?::pg_catalog.text AS key, ?::bigint AS token,
               ?::pg_catalog.text AS instance_id, ?::pg_catalog.text AS most) t
  JOIN leasehold_lease l
    ON l.bucket OPERATOR(pg_catalog.=) t.bucket
   AND l.key OPERATOR(pg_catalog.=) t.key
   AND l.last_token OPERATOR(pg_catalog.=) t.token
 CROSS JOIN leasehold_store s
 WHERE @{acts-anywhere}
 @{effect-lock} OF l
