UPDATE leasehold_store SET incarnation = ?, held_off_until = ?, system_id = ?, timeline = ?
