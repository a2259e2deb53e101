INSERT INTO leasehold_guard (table_name, key_column, fixed_key, installed_at)
VALUES (?, ?, ?, @{now})
