SELECT s.store_id, s.incarnation, s.held_off_until, s.system_id, s.timeline FROM leasehold_store s
