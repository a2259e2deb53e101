SELECT min(l.ttl_ms) FROM leasehold_lease l WHERE l.standing = 0 AND l.expires_at > @{now}
