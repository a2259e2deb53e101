-- As lock-current, and what a change needs besides: one round trip.
SELECT s.store_id, @{era-lock},
       @{bound-effect}
  FROM (SELECT ?::integer AS bucket, ?::text AS key, ?::bigint AS token, ?::text AS instance_id,
               ?::text AS ms) t
  JOIN leasehold_lease l ON l.bucket = t.bucket AND l.key = t.key AND l.last_token = t.token
 CROSS JOIN leasehold_store s
 WHERE @{acts} AND coalesce(t.instance_id, l.instance_id) = l.instance_id
 @{effect-lock} OF l
