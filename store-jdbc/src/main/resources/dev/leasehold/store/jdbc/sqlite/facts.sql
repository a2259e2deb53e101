SELECT s.store_id, s.incarnation, coalesce((SELECT f.above FROM leasehold_founding f), 0),
       s.system_id, '', 0, 0, s.held_off_until - @{now},
       @{chain-facts}
  FROM leasehold_store s
