EXISTS (
  SELECT 1
    FROM (SELECT ?::text AS key, ?::bigint AS token, ?::text AS instance_id, ?::text AS most) t
    JOIN leasehold_lease l ON l.key = t.key AND l.last_token = t.token
   CROSS JOIN leasehold_store s
   WHERE @{acts-anywhere}
     AND (@{bound-by-trust}) IS NOT NULL
   FOR SHARE OF l)
