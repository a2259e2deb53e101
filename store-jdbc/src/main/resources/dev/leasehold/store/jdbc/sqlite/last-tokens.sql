SELECT coalesce((SELECT l.last_token FROM leasehold_lease l WHERE l.bucket = ? AND l.key = ?),
                (SELECT f.token FROM leasehold_floor f WHERE f.bucket = ?))
