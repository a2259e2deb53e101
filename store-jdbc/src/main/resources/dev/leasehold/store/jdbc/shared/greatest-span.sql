-- The longest that any holder on record may have been told its grant lasts.
SELECT max(CASE WHEN ttl_ms > expires_at - renewed_at THEN ttl_ms ELSE expires_at - renewed_at END)
  FROM leasehold_lease
