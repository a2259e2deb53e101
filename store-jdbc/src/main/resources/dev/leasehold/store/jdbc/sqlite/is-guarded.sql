SELECT count(*) FROM leasehold_guard WHERE table_name = ?
