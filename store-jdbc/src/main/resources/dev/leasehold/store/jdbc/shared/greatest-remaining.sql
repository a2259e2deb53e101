-- The longest that a holder on record may still trust: until its grant expires, unless that has
-- ended, or until a key opens that was closed for the sake of a revoked or stalled holder.
SELECT max(CASE WHEN r.granted_until > r.closed_until THEN r.granted_until ELSE r.closed_until END)
       - @{now}
  FROM (SELECT CASE WHEN l.grant_token IS NOT NULL AND l.standing <> 2
                    THEN l.expires_at ELSE 0 END AS granted_until,
               coalesce(l.closed_until, 0) AS closed_until
          FROM leasehold_lease l) r
