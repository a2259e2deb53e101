SELECT s.store_id, s.incarnation, s.system_id, '', 0::bigint, 0::bigint FROM leasehold_store s
