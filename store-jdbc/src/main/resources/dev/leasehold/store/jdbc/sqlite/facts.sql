SELECT s.store_id, s.incarnation, coalesce((SELECT f.above FROM leasehold_founding f), 0), s.system_id, '', 0, 0,
       @{chain-facts}
  FROM leasehold_store s
