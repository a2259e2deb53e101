SELECT g.table_name, g.key_column, g.fixed_key, NULL FROM leasehold_guard g ORDER BY 1
