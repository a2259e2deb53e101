-- The check in a user's transaction: one row, or the statement fails, and the database aborts the
-- transaction. The lock on the lease's row lasts until the transaction ends: whatever ends a grant
-- waits (FOR UPDATE), a renewal does not (FOR NO KEY UPDATE). The user's search_path decides
-- nothing here: tables, functions, types and operators are written with their schemas.
WITH locked AS MATERIALIZED (
  SELECT l.last_token, l.grant_token, l.standing, l.instance_id
    FROM <schema>.leasehold_lease l
   WHERE l.bucket OPERATOR(pg_catalog.=) ?::integer
     AND l.key OPERATOR(pg_catalog.=) ?::pg_catalog.text
     FOR KEY SHARE OF l
)
SELECT CASE WHEN t.most IS NOT NULL
             AND s.store_id OPERATOR(pg_catalog.=) t.store_id
             AND l.last_token OPERATOR(pg_catalog.=) t.token
             AND @{acts-anywhere}
            THEN @{era-lock-anywhere}
            ELSE <schema>.leasehold_refuse_check(
                   t.store_id, t.bucket, t.key, t.token, t.instance_id, t.most) END,
       @{bound-by-trust}
  FROM (SELECT ?::integer AS bucket, ?::pg_catalog.text AS key, ?::bigint AS token,
               ?::pg_catalog.text AS instance_id, ?::pg_catalog.text AS store_id,
               ?::pg_catalog.text AS most) t
 CROSS JOIN <schema>.leasehold_store s
  LEFT JOIN locked l ON true
