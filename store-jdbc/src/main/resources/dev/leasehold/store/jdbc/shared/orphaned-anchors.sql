-- Anchors of sessions that are not alive, with the record of the session's key, if there is one.
SELECT @{lease-columns}, @{now}, s.incarnation, s.held_off_until, @{anchor-columns}
  FROM leasehold_anchor a
 CROSS JOIN leasehold_store s
  LEFT JOIN leasehold_lease l ON l.bucket = a.bucket AND l.key = a.session_key
 WHERE a.number > ?
   AND (l.key IS NULL OR l.grant_token IS NULL OR l.grant_token <> a.token OR l.standing <> 0
        OR l.expires_at <= @{now} OR a.token >> 40 < s.incarnation)
 ORDER BY a.number
 LIMIT ?
