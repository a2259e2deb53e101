-- The longest time that a recorded holder may still trust its lease: until its grant expires, if
-- that has not ended, or until a key opens that was closed because its revoked or stalled holder
-- may still trust it.
SELECT max(CASE WHEN r.granted_until > r.closed_until THEN r.granted_until ELSE r.closed_until END)
       - @{now}
  FROM (SELECT CASE WHEN l.grant_token IS NOT NULL AND l.standing <> 2
                    THEN l.expires_at ELSE 0 END AS granted_until,
               coalesce(l.closed_until, 0) AS closed_until
          FROM leasehold_lease l) r
