DELETE FROM leasehold_guard WHERE table_name = ?
