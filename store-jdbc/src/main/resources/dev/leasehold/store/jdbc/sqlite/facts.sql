SELECT s.store_id, s.incarnation, s.system_id, '', 0, 0 FROM leasehold_store s
