-- Shared, so that changes under one token do not wait for each other; raising the mark waits for
-- all of them. The server ends the transaction of a process that stops during its change.
SELECT @{bound-idle},
       CASE WHEN t.most IS NULL THEN '' ELSE @{bound-by-trust} END
  FROM (SELECT ?::pg_catalog.text AS pause, ?::pg_catalog.text AS most) t
 CROSS JOIN leasehold_mark
 WHERE @{stands-at}
   FOR SHARE OF leasehold_mark
