SELECT count(to_regclass('leasehold_schema'))
