SELECT s.incarnation, s.held_off_until, @{now} FROM leasehold_store s
