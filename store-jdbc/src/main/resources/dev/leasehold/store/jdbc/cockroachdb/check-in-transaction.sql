-- As on PostgreSQL. There are no users' operators here, and no functions of the store: a refusal
-- fails by casting its text to a number, and aborts the transaction.
WITH t AS MATERIALIZED (
  SELECT ?::integer AS bucket, ?::text AS key, ?::bigint AS token, ?::text AS instance_id,
         ?::text AS store_id, ?::text AS most
), locked AS MATERIALIZED (
  SELECT l.last_token, l.grant_token, l.standing, l.instance_id
    FROM t JOIN leasehold_lease l ON l.bucket = t.bucket AND l.key = t.key
   FOR SHARE OF l
)
SELECT CASE WHEN t.most IS NOT NULL AND s.store_id = t.store_id
             AND l.last_token = t.token AND @{acts-anywhere}
            THEN (SELECT count(*)
                    FROM (SELECT 1 FROM leasehold_store e
                           WHERE current_setting('transaction_isolation') <> 'read committed'
                             FOR SHARE) held)
            ELSE CASE
              WHEN t.store_id IS NULL OR s.store_id <> t.store_id
              THEN concat('LH006: this connection leads to store ', s.store_id)
              WHEN t.most IS NULL
              THEN concat('LH007: lease ', t.key, ' is not trusted any more')
              WHEN l.grant_token = t.token AND t.instance_id <> l.instance_id
              THEN concat('LH003: token ', t.token, ' of lease ', t.key,
                          ' was issued to another instance: the latest is ', l.last_token,
                          ', at store time ', @{now})
              WHEN t.token > coalesce(l.last_token, f.token)
              THEN concat('LH003: token ', t.token, ' of lease ', t.key,
                          ' was never issued: the latest is ', coalesce(l.last_token, f.token),
                          ', at store time ', @{now})
              ELSE concat('LH002: token ', t.token, ' of lease ', t.key,
                          ' is stale: the latest is ', coalesce(l.last_token, f.token),
                          ', at store time ', @{now})
            END::bigint END,
       @{bound-by-trust}
  FROM t
 CROSS JOIN leasehold_store s
  JOIN leasehold_floor f ON f.bucket = t.bucket
  LEFT JOIN locked l ON true
