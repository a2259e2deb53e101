-- Nothing can depend on the record any more, and that since before d.before: as the rule of Purge.
l.written_at <= d.before
   AND (l.closed_reason IS NULL OR l.closed_until <= d.before)
   AND (l.barred_id IS NULL OR l.barred_until <= d.before)
   AND (l.grant_token IS NULL OR l.expires_at <= d.before
        OR (l.standing = 2 AND l.end_reason <> 'INCARNATION_ADVANCED'))
   AND l.last_token & 1099511627775 < 1099511627775
