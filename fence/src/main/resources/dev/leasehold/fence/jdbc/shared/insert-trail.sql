INSERT INTO leasehold_mark_trail (target, key, what, brought, current, who, why, at)
VALUES (?, ?, ?, ?, ?, ?, ?, @{now})
