-- True if nothing has depended on the record since before d.before, like the rule of Purge.
l.written_at <= d.before
   AND (l.closed_reason IS NULL OR l.closed_until <= d.before)
   AND (l.barred_id IS NULL OR l.barred_until <= d.before)
   AND (l.grant_token IS NULL OR l.expires_at <= d.before
        OR (l.standing = 2 AND l.end_reason <> 'INCARNATION_ADVANCED'))
   AND l.last_token & 1099511627775 < 1099511627775
