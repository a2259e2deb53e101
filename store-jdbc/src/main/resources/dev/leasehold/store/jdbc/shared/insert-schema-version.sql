INSERT INTO leasehold_schema (version, name, minor, applied_at) VALUES (?, ?, ?, @{now})
ON CONFLICT DO NOTHING
